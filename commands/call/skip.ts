import { Args, Flags } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class CallSkip extends ClientCommand {
  static override description = 'Skip a call\n\nThe contact continues with the next step.';
  static override examples = ['<%= config.bin %> call skip 12'];
  static override args = { id: Args.string({ required: true, description: 'id of the call' }) };
  static override flags = { note: Flags.string({ description: 'note to store with the call', helpValue: 'T' }) };

  async run() {
    const { args, flags } = await this.parse(CallSkip);
    const id = idArgument(args.id, 'call');
    const api = await this.client(flags);
    const closed = await api.calls.skip.mutate({ id, note: flags.note ?? null });
    this.log(`Call ${id} was skipped.`);
    return closed;
  }
}
