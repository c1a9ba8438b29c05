import { Args, Flags } from '@oclif/core';
import { idArgument, instantOption, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class WebhookDeliveries extends OutreachCommand {
  static override description = 'what was delivered to a webhook in the last 30 days, newest first';
  static override examples = ['<%= config.bin %> webhook deliveries 3', '<%= config.bin %> webhook deliveries 3 --status failed'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = {
    limit: Flags.integer({ description: 'how many at most', default: 50, min: 1, max: 10_000 }),
    since: Flags.string({ description: 'only at or after this day or instant', helpValue: 'T' }),
    status: Flags.option({ options: ['pending', 'delivered', 'failed'] as const, description: 'only these' })(),
    type: Flags.string({ description: 'only this type, for example event.replied' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(WebhookDeliveries);
    const id = idArgument(args.id, 'webhook');
    const filter = {
      status: flags.status,
      type: flags.type,
      since: flags.since === undefined ? undefined : instantOption(flags.since, 'since'),
    };
    const { listDeliveries } = await import('../../src/webhooks/index.ts');
    const { data } = await this.withApp(flags, async (app) =>
      listDeliveries(app.db, await this.operatorIn(app, flags.workspace), id, filter, { limit: flags.limit, offset: 0 }),
    );
    this.log(table(data, ['id', 'created_at', 'type', 'status', 'attempts', 'response_status', 'error', 'next_attempt_at']));
    return { data };
  }
}
