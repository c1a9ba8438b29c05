import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';

export default class ReplyDismiss extends ClientCommand {
  static override description = `Say that a reply does not ask to be removed

Its contact continues exactly where they were in their other campaigns. Only for a reply that may ask to be removed, which "reply list" shows first.`;
  static override examples = ['<%= config.bin %> reply dismiss 31'];
  static override args = { reply: replyArgument };

  async run() {
    const { args, flags } = await this.parse(ReplyDismiss);
    const api = await this.client(flags);
    const reply = await api.replies.dismissOptOut.mutate({ id: replyId(args.reply) });
    this.log(`Reply ${reply.id} does not ask to be removed; the contact continues.`);
    return reply;
  }
}
