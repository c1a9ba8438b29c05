import { recordArguments, SharingCommand, userArgument } from '../../src/cli/client/sharing-command.ts';
import { userIdOf } from '../../src/cli/client/users.ts';

export default class ShareGive extends SharingCommand {
  static override description = 'Give a record to another user, who then owns it\n\nThe owner and the admins decide who sees it.';
  static override examples = ['<%= config.bin %> share give account zoe@example.com ben@example.com'];
  static override args = { ...recordArguments, user: userArgument };

  async run() {
    const { args, flags } = await this.parse(ShareGive);
    const api = await this.client(flags);
    const { shares, id, ids } = await this.sharing(api, args.kind, args.record);
    const userId = await userIdOf(api, args.user);
    await this.oneByOne(ids, String, (one) => shares.give.mutate({ id: one, user_id: userId }));
    this.logLine(`${args.kind} ${id} now belongs to ${args.user}.`);
    return { kind: args.kind, id, user_id: userId };
  }
}
