import { recordArguments, SharingCommand } from '../../src/cli/client/sharing-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

export default class ShareList extends SharingCommand {
  static override description = 'List the users that a record is shared with\n\nIts owner and the admins see it too.';
  static override examples = ['<%= config.bin %> share list campaign "Spring fair"'];
  static override args = recordArguments;
  static override flags = listFlags;

  async run() {
    const { args, flags } = await this.parse(ShareList);
    const api = await this.client(flags);
    const { shares, id } = await this.sharing(api, args.kind, args.record);
    return this.list(flags, ['user_id', 'name', 'email', 'granted_at'], () => shares.list.query({ id }));
  }
}
