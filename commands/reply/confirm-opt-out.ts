import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';

export default class ReplyConfirmOptOut extends ClientCommand {
  static override description = `Confirm that a reply asks to be removed

Its address is suppressed: nobody emails it again. Only for a reply that may ask to be removed, which "reply list" shows first.`;
  static override examples = ['<%= config.bin %> reply confirm-opt-out 31'];
  static override args = { reply: replyArgument };

  async run() {
    const { args, flags } = await this.parse(ReplyConfirmOptOut);
    const api = await this.client(flags);
    const reply = await api.replies.confirmOptOut.mutate({ id: replyId(args.reply) });
    this.log(`Reply ${reply.id} asks to be removed; the address is suppressed.`);
    return reply;
  }
}
