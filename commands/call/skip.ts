import { Args, Flags } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class CallSkip extends OutreachCommand {
  static override description = 'Skip a call\n\nThe contact continues with the next step.';
  static override examples = ['<%= config.bin %> call skip 12'];
  static override args = { id: Args.string({ required: true, description: 'id of the call' }) };
  static override flags = { note: Flags.string({ description: 'note to store with the call', helpValue: 'T' }), workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(CallSkip);
    const id = idArgument(args.id, 'call');
    const { closeCall } = await import('../../src/campaigns/index.ts');
    await this.withApp(flags, async (app) =>
      closeCall(app, await this.operatorIn(app, flags.workspace), id, { outcome: 'skipped', note: flags.note ?? null }),
    );
    this.log(`Call ${id} was skipped.`);
    return { id, outcome: 'skipped' };
  }
}
