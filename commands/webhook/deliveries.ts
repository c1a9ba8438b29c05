import { Args, Flags } from '@oclif/core';
import { idArgument, instantFlag, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class WebhookDeliveries extends OutreachCommand {
  static override description = 'List deliveries of a webhook, newest first\n\nDeliveries are kept for 30 days.';
  static override examples = ['<%= config.bin %> webhook deliveries 3', '<%= config.bin %> webhook deliveries 3 --status failed'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of deliveries', default: 50, min: 1, max: 10_000 }),
    since: Flags.string({ description: 'only deliveries at or after this date or timestamp', helpValue: 'T' }),
    status: Flags.option({ options: ['pending', 'delivered', 'failed'] as const, description: 'only deliveries with this status' })(),
    type: Flags.string({ description: 'only messages of this type, for example event.replied' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(WebhookDeliveries);
    const id = idArgument(args.id, 'webhook');
    const filter = {
      status: flags.status,
      type: flags.type,
      since: flags.since === undefined ? undefined : instantFlag(flags.since, 'since'),
    };
    const { listDeliveries } = await import('../../src/webhooks/index.ts');
    const { data } = await this.withApp(flags, async (app) =>
      listDeliveries(app.db, await this.operatorIn(app, flags.workspace), id, filter, { limit: flags.limit, offset: 0 }),
    );
    this.log(table(data, ['id', 'created_at', 'type', 'status', 'attempts', 'response_status', 'error', 'next_attempt_at']));
    return { data };
  }
}
