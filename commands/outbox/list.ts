import { Flags } from '@oclif/core';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class OutboxList extends OutreachCommand {
  static override description = 'List the latest emails\n\nWith --uncertain, lists emails whose delivery is unknown after a crash.';
  static override examples = ['<%= config.bin %> outbox list --uncertain'];
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of emails', default: 50, min: 1, max: 10_000 }),
    uncertain: Flags.boolean({ description: 'only emails whose delivery is unknown' }),
  };

  async run() {
    const { flags } = await this.parse(OutboxList);
    const { listOutbox } = await import('../../src/outbox/index.ts');
    const emails = await this.withApp(flags, (app) => listOutbox(app.db, { uncertain: flags.uncertain, limit: flags.limit }));
    this.log(
      table(emails, ['id', 'state', 'recipient', 'campaign_id', 'step_order', 'account_id', 'attempt', 'transmitting_at', 'response']),
    );
    if (flags.uncertain && emails.length > 0) this.log('\nTo resolve one, run: outreach outbox resolve ID --sent or --resend');
    return { data: emails };
  }
}
