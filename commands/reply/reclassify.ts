import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { REPLY_KINDS, replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';

export default class ReplyReclassify extends ClientCommand {
  static override description = `Correct the kind of a reply, and redo its effect

Marking an auto-reply as a person's ends the sequence; marking a reply as automatic lets the sequence continue. Events, statistics and suppressions are corrected too.`;
  static override examples = ['<%= config.bin %> reply reclassify 31 auto_reply'];
  static override args = {
    reply: replyArgument,
    kind: Args.string({ required: true, options: [...REPLY_KINDS], description: 'what it is' }),
  };

  async run() {
    const { args, flags } = await this.parse(ReplyReclassify);
    const api = await this.client(flags);
    const kind = args.kind as (typeof REPLY_KINDS)[number];
    const reply = await api.replies.reclassify.mutate({ id: replyId(args.reply), kind });
    this.log(`Reply ${reply.id} is now marked as ${reply.kind}, and its effects were updated.`);
    return reply;
  }
}
