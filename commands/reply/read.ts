import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { chosenReplies, repliesArgument, replySearch } from '../../src/cli/client/reply-arguments.ts';
import { quantity } from '../../src/core/english.ts';

export default class ReplyRead extends ClientCommand {
  static override description = 'Mark replies as read';
  static override examples = ['<%= config.bin %> reply read 29 30 27', '<%= config.bin %> reply read --search "out of office"'];
  static override args = { reply: repliesArgument };
  static override flags = { search: replySearch };

  async run() {
    const { args, flags } = await this.parse(ReplyRead);
    const api = await this.client(flags);
    const ids = await chosenReplies(api, args.reply ?? [], flags.search);
    const data = [];
    for (const id of ids) data.push(await api.replies.update.mutate({ id, is_read: true }));
    this.logLine(`Marked ${quantity(data.length, 'reply', 'replies')} as read.`);
    return { data };
  }
}
