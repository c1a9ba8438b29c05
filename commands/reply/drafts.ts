import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

export default class ReplyDrafts extends ClientCommand {
  static override description = 'List drafted answers that wait for approval, oldest first';
  static override examples = ['<%= config.bin %> reply drafts', '<%= config.bin %> reply drafts --json'];
  static override flags = listFlags;

  async run() {
    const { flags } = await this.parse(ReplyDrafts);
    const api = await this.client(flags);
    return this.list(flags, ['id', 'reply_id', 'to', 'cc', 'attachments', 'subject', 'body_text', 'created_at'], (page) =>
      api.draft.list.query(page),
    );
  }
}
