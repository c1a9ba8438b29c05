import { recordArguments, SharingCommand, userArgument } from '../../src/cli/client/sharing-command.ts';
import { userIdOf } from '../../src/cli/client/users.ts';

export default class ShareRemove extends SharingCommand {
  static override description = 'Stop sharing a record with one user';
  static override examples = ['<%= config.bin %> share remove campaign 7 ada@example.com'];
  static override args = { ...recordArguments, user: userArgument };

  async run() {
    const { args, flags } = await this.parse(ShareRemove);
    const api = await this.client(flags);
    const { shares, id, ids } = await this.sharing(api, args.kind, args.record);
    const userId = await userIdOf(api, args.user);
    await this.oneByOne(ids, String, (one) => shares.remove.mutate({ id: one, user_id: userId }));
    this.logLine(`${args.kind} ${id} is no longer shared with ${args.user}.`);
    return { kind: args.kind, id, user_id: userId };
  }
}
