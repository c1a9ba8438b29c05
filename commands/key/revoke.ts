import { Args } from '@oclif/core';
import { operator, revokeKey } from '../../src/access/index.ts';
import { idArgument } from '../../src/cli/argument.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class KeyRevoke extends OutreachCommand {
  static override description = 'Revoke an API key\n\nThe next request with the key fails.';
  static override examples = ['<%= config.bin %> key revoke 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the key' }) };

  async run() {
    const { args, flags } = await this.parse(KeyRevoke);
    const id = idArgument(args.id, 'key');
    await this.withApp(flags, (app) => revokeKey(app, operator(0), id));
    this.log(`Key ${id} was revoked.`);
    return { id, revoked: true };
  }
}
