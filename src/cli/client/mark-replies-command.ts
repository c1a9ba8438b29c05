import { quantity } from '../../core/english.ts';
import { ClientCommand } from './client-command.ts';
import { chosenReplies, repliesArgument, replyFilters } from './reply-arguments.ts';

/** A command that marks replies as read or unread. */
export abstract class MarkRepliesCommand extends ClientCommand {
  static override args = { reply: repliesArgument };
  static override flags = replyFilters;

  protected abstract readonly isRead: boolean;

  async run() {
    const { args, flags } = await this.parse(MarkRepliesCommand);
    const api = await this.client(flags);
    const ids = await chosenReplies(api, args.reply ?? [], flags);
    const data = await this.oneByOne(ids, String, (id) => api.replies.update.mutate({ id, is_read: this.isRead }));
    this.logLine(`Marked ${quantity(data.length, 'reply', 'replies')} as ${this.isRead ? 'read' : 'unread'}.`);
    return { data };
  }
}
