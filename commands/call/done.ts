import { Args, Flags } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class CallDone extends ClientCommand {
  static override description = 'Mark a call as done\n\nThe contact continues with the next step.';
  static override examples = ['<%= config.bin %> call done 12'];
  static override args = { id: Args.string({ required: true, description: 'id of the call' }) };
  static override flags = { note: Flags.string({ description: 'note to store with the call', helpValue: 'T' }) };

  async run() {
    const { args, flags } = await this.parse(CallDone);
    const id = idArgument(args.id, 'call');
    const api = await this.client(flags);
    const closed = await api.calls.done.mutate({ id, note: flags.note ?? null });
    this.log(`Call ${id} is done.`);
    return closed;
  }
}
