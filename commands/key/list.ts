import { listKeys } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class KeyList extends OutreachCommand {
  static override description = 'List API keys\n\nThe last use is accurate to the hour.';
  static override examples = ['<%= config.bin %> key list'];

  async run() {
    const { flags } = await this.parse(KeyList);
    const keys = await this.withApp(flags, (app) => listKeys(app.db));
    this.log(table(keys, ['id', 'name', 'prefix', 'email', 'workspace_id', 'created_at', 'last_used_at', 'expires_at', 'revoked_at']));
    return { data: keys };
  }
}
