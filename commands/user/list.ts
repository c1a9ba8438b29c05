import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { USER_COLUMNS } from '../../src/cli/client/users.ts';
import { listFlags } from '../../src/cli/list-output.ts';

export default class UserList extends ClientCommand {
  static override description = 'List the users of a workspace';
  static override examples = ['<%= config.bin %> user list', '<%= config.bin %> user list --columns email,role --csv'];
  static override flags = { ...listFlags };

  async run() {
    const { flags } = await this.parse(UserList);
    const api = await this.client(flags);
    return this.list(flags, USER_COLUMNS, () => api.users.list.query({}));
  }
}
