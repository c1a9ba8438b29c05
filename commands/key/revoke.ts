import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class KeyRevoke extends ClientCommand {
  static override description = 'Revoke an API key\n\nThe next request with the key fails.';
  static override examples = ['<%= config.bin %> key revoke 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the key' }) };

  async run() {
    const { args, flags } = await this.parse(KeyRevoke);
    const id = idArgument(args.id, 'key');
    const api = await this.client(flags);
    await api.keys.revoke.mutate({ id });
    this.log(`Key ${id} was revoked.`);
    return { id, revoked: true };
  }
}
