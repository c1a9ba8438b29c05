import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { nextOnceChecked } from '../../src/cli/client/pre-flight.ts';
import { printTable } from '../../src/cli/print-table.ts';
import { quantity } from '../../src/core/english.ts';

export default class CampaignTest extends ClientCommand {
  static override description = `Send the steps of a campaign to an address of your own

Each email is what a contact would receive, headers and footer included, with [Test] before its subject. It is written for a contact \
of the campaign and counts for the account's day, but not in statistics; its links count and unsubscribe nobody.`;
  static override examples = [
    '<%= config.bin %> campaign test "Spring fair" --to me@example.com',
    '<%= config.bin %> campaign test 7 --to me@example.com --step 1 --variant B --contact ada@example.org',
  ];
  static override args = { campaign: Args.string({ required: true, description: 'id or name of the campaign' }) };
  static override flags = {
    contact: Flags.string({
      description: 'email address or id of the contact to write for (default: one of the campaign)',
      helpValue: 'C',
    }),
    step: Flags.integer({ description: 'number of the only step to send', helpValue: 'N', min: 1 }),
    to: Flags.string({ required: true, description: 'address that gets the emails', helpValue: 'ADDRESS' }),
    variant: Flags.option({ options: ['A', 'B'] as const, description: 'send this variant only (default: A, and B where it differs)' })(),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignTest);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const contact_id = flags.contact === undefined ? undefined : await contactIdOf(api, flags.contact);
    const input = { id, to: flags.to, contact_id, step_order: flags.step, variant: flags.variant };
    const sent = await api.sending.test.mutate(input);
    printTable(this, sent.emails, ['step_order', 'variant', 'subject']);
    this.logLine(`Sent ${quantity(sent.emails.length, 'test')} from ${sent.from} to ${sent.to}.`);
    if (this.tellsNext) this.next(await nextOnceChecked(api, id));
    return sent;
  }
}
