import { recordArguments, SharingCommand, userArgument } from '../../src/cli/client/sharing-command.ts';
import { userIdOf } from '../../src/cli/client/users.ts';

export default class ShareAdd extends SharingCommand {
  static override description =
    'Share a record with one user\n\nThey see it in addition to its owner and the admins. A rotation group is shared as one campaign.';
  static override examples = ['<%= config.bin %> share add campaign "Spring fair" ada@example.com'];
  static override args = { ...recordArguments, user: userArgument };

  async run() {
    const { args, flags } = await this.parse(ShareAdd);
    const api = await this.client(flags);
    const { shares, id, ids } = await this.sharing(api, args.kind, args.record);
    const userId = await userIdOf(api, args.user);
    await this.oneByOne(ids, String, (one) => shares.add.mutate({ id: one, user_id: userId }));
    this.logLine(`${args.user} now sees ${args.kind} ${id}.`);
    return { kind: args.kind, id, user_id: userId };
  }
}
