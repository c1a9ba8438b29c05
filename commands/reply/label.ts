import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';

export default class ReplyLabel extends ClientCommand {
  static override description = `Label a reply, and mark it as read

Usual labels are interested, meeting, question, later, wrong_person and not_interested; any other text is allowed. The label "none" removes it.`;
  static override examples = ['<%= config.bin %> reply label 31 interested', '<%= config.bin %> reply label 31 none'];
  static override args = {
    reply: replyArgument,
    label: Args.string({ required: true, description: 'text of up to 50 characters, or none' }),
  };

  async run() {
    const { args, flags } = await this.parse(ReplyLabel);
    const api = await this.client(flags);
    const label = args.label === 'none' ? null : args.label;
    const reply = await api.replies.update.mutate({ id: replyId(args.reply), label, is_read: true });
    this.logLine(label === null ? `Reply ${reply.id} has no label.` : `Reply ${reply.id} is labelled "${reply.label}".`);
    return reply;
  }
}
