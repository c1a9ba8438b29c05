import { Flags } from '@oclif/core';
import type { Api } from '../../src/cli/client/api.ts';
import { unlessUnreadable } from '../../src/cli/client/api-error.ts';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { namedAddress } from '../../src/terminal/named-address.ts';

export default class CampaignPreview extends ClientCommand {
  static override description = `Show every step as one contact would receive it

Shows the text part of each email, both variants of an A/B test, and sends nothing. Links are those of the step: campaign test sends an email with \
the tracked ones. Warns about unknown placeholders, replies that nobody reads, and sending windows that never overlap.`;
  static override examples = ['<%= config.bin %> campaign preview 7 --contact 42'];
  static override args = { campaign: campaignArgument };
  static override flags = {
    contact: Flags.string({ required: true, description: 'email address or id of the contact', helpValue: 'C' }),
    html: Flags.boolean({ description: 'print the HTML of each body instead of its text' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignPreview);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const contactId = await contactIdOf(api, flags.contact);
    const preview = await api.sending.preview.query({ id, contact_id: contactId });
    const [from, { name, email }, { textOf }] = await Promise.all([
      senderOf(api, id),
      api.contacts.get.query({ id: contactId }),
      import('../../src/mail/text-alternative.ts'),
    ]);
    this.logLine(`From: ${from}`);
    this.logLine(`To: ${namedAddress(name, email)}`);
    if (preview.cc.length > 0) this.logLine(`Cc: ${preview.cc.join(', ')}`);
    if (preview.bcc.length > 0) this.logLine(`Bcc: ${preview.bcc.join(', ')}`);
    for (const step of preview.steps) {
      const wait = step.step_order === 1 ? '' : `, ${step.wait} later`;
      this.log(`--- step ${step.step_order} (${step.kind}${wait}), variant ${step.variant}`);
      if (step.subject !== null) this.logLine(`Subject: ${step.subject}`);
      if (step.attachments.length > 0) this.logLine(`Attached: ${step.attachments.join(', ')}`);
      this.log(`\n${flags.html || step.kind === 'call' ? step.body_html : textOf(step.body_html)}\n`);
    }
    if (preview.steps.length === 0) this.log('The campaign has no steps.');
    for (const warning of preview.warnings) this.logLine(`Warning: ${warning}`);
    return preview;
  }
}

/** Formats the sender of a campaign's emails as an email client shows it. */
async function senderOf(api: Api, id: number): Promise<string> {
  const { account_id, account_email } = await api.campaigns.get.query({ id });
  const account = await unlessUnreadable(api.accounts.get.query({ id: account_id }), null);
  return namedAddress(account?.from_name ?? '', account_email);
}
