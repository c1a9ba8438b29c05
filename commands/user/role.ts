import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { findMember, ROLES } from '../../src/cli/client/users.ts';

export default class UserRole extends ClientCommand {
  static override description = "Change a user's role in a workspace\n\nThe new role applies from their next request.";
  static override examples = ['<%= config.bin %> user role ada@example.com admin --workspace Acme'];
  static override args = {
    email: Args.string({ required: true, description: 'email address of the user' }),
    role: Args.option({ description: 'new role', options: ROLES })({ required: true }),
  };

  async run() {
    const { args, flags } = await this.parse(UserRole);
    const api = await this.client(flags);
    const { id } = await findMember(api, args.email);
    const user = await api.users.changeRole.mutate({ id, role: args.role });
    this.log(`${user.email} is now ${user.role}.`);
    return user;
  }
}
