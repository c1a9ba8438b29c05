import { MarkRepliesCommand } from '../../src/cli/client/mark-replies-command.ts';

export default class ReplyRead extends MarkRepliesCommand {
  static override description = 'Mark replies as read\n\nBy their ids, or those that the filters of reply list choose.';
  static override examples = [
    '<%= config.bin %> reply read 29 30 27',
    '<%= config.bin %> reply read --campaign "Spring fair" --kind auto_reply',
  ];

  protected override readonly isRead = true;
}
