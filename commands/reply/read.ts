import { MarkRepliesCommand } from '../../src/cli/client/mark-replies-command.ts';

export default class ReplyRead extends MarkRepliesCommand {
  static override description = 'Mark replies as read';
  static override examples = ['<%= config.bin %> reply read 29 30 27', '<%= config.bin %> reply read --search "out of office"'];

  protected override readonly isRead = true;
}
