import { Flags } from '@oclif/core';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class OutboxList extends OutreachCommand {
  static override description = 'the newest mails of the ledger; with --uncertain those whose delivery is unknown after a crash';
  static override examples = ['<%= config.bin %> outbox list --uncertain'];
  static override flags = {
    limit: Flags.integer({ description: 'how many at most', default: 50, min: 1, max: 10_000 }),
    uncertain: Flags.boolean({ description: 'only those whose delivery is unknown' }),
  };

  async run() {
    const { flags } = await this.parse(OutboxList);
    const { listOutbox } = await import('../../src/sending/index.ts');
    const mails = await this.withApp(flags, (app) => listOutbox(app.db, { uncertain: flags.uncertain, limit: flags.limit }));
    this.log(
      table(mails, ['id', 'state', 'recipient', 'campaign_id', 'step_order', 'account_id', 'attempt', 'transmitting_at', 'response']),
    );
    if (flags.uncertain && mails.length > 0) this.log('\nDecide each with: outreach outbox resolve ID --sent | --resend');
    return { data: mails };
  }
}
