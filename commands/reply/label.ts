import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { chosenReplies, replyFilters } from '../../src/cli/client/reply-arguments.ts';
import { quantity } from '../../src/core/english.ts';

export default class ReplyLabel extends ClientCommand {
  static override description = `Label replies, and mark them as read

Usual labels are interested, meeting, question, later, wrong_person and not_interested; any other text is allowed. The label "none" removes it. \
Instead of ids, the filters of reply list choose the replies.`;
  static override examples = [
    '<%= config.bin %> reply label 31 interested',
    '<%= config.bin %> reply label 29 30 27 interested',
    '<%= config.bin %> reply label --search "not interested" not_interested',
    '<%= config.bin %> reply label --campaign "Spring fair" --unread --kind auto_reply later',
  ];
  static override args = {
    reply: Args.string({
      required: true,
      multiple: true,
      description: 'ids of replies unless filters choose them, then the label: text of up to 50 characters, or none',
    }),
  };
  static override flags = replyFilters;

  async run() {
    const { args, flags } = await this.parse(ReplyLabel);
    const words = args.reply.slice(0, -1);
    const given = args.reply.at(-1) ?? '';
    const api = await this.client(flags);
    const ids = await chosenReplies(api, words, flags);
    const label = given === 'none' ? null : given;
    const data = await this.oneByOne(ids, String, (id) => api.replies.update.mutate({ id, label, is_read: true }));
    const [only] = data;
    const which =
      only !== undefined && data.length === 1
        ? `Reply ${only.id} ${label === null ? 'has' : 'is'}`
        : `${quantity(data.length, 'reply', 'replies')} ${label === null ? 'have' : 'are'}`;
    this.logLine(label === null ? `${which} no label.` : `${which} labelled "${label}".`);
    return only !== undefined && words.length === 1 ? only : { data };
  }
}
