import { MarkRepliesCommand } from '../../src/cli/client/mark-replies-command.ts';

export default class ReplyUnread extends MarkRepliesCommand {
  static override description = 'Mark replies as unread';
  static override examples = ['<%= config.bin %> reply unread 29 30 27', '<%= config.bin %> reply unread --search "out of office"'];

  protected override readonly isRead = false;
}
