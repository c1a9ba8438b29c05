import { Args, Flags } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { timeFrame } from '../../src/cli/client/time-frame.ts';
import { instantText, PAST_TIMES } from '../../src/cli/instant.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'created_at', 'type', 'status', 'attempts', 'response_status', 'error', 'next_attempt_at'];

export default class WebhookDeliveries extends ClientCommand {
  static override description = 'List deliveries of a webhook, newest first\n\nDeliveries are kept for 30 days.';
  static override examples = ['<%= config.bin %> webhook deliveries 3', '<%= config.bin %> webhook deliveries 3 --status failed'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = {
    ...listFlags,
    since: Flags.string({ description: `only deliveries since then, ${PAST_TIMES}`, helpValue: 'T' }),
    status: Flags.option({ options: ['pending', 'delivered', 'failed'] as const, description: 'only deliveries with this status' })(),
    type: Flags.string({ description: 'only messages of this type, for example event.replied', helpValue: 'TYPE' }),
  };

  async run() {
    const { args, flags } = await this.parse(WebhookDeliveries);
    const id = idArgument(args.id, 'webhook');
    const api = await this.client(flags);
    const since = flags.since === undefined ? undefined : instantText(flags.since, '--since', await timeFrame(api, 'past'));
    const { status, type } = flags;
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.webhooks.deliveries.query({ id, status, type, since, ...page }));
  }
}
