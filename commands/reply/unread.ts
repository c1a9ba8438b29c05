import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { chosenReplies, repliesArgument, replySearch } from '../../src/cli/client/reply-arguments.ts';
import { quantity } from '../../src/core/english.ts';

export default class ReplyUnread extends ClientCommand {
  static override description = 'Mark replies as unread';
  static override examples = ['<%= config.bin %> reply unread 29 30 27', '<%= config.bin %> reply unread --search "out of office"'];
  static override args = { reply: repliesArgument };
  static override flags = { search: replySearch };

  async run() {
    const { args, flags } = await this.parse(ReplyUnread);
    const api = await this.client(flags);
    const ids = await chosenReplies(api, args.reply ?? [], flags.search);
    const data = [];
    for (const id of ids) data.push(await api.replies.update.mutate({ id, is_read: false }));
    this.logLine(`Marked ${quantity(data.length, 'reply', 'replies')} as unread.`);
    return { data };
  }
}
