import { type Caller, footerHtml, postalAddress, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import { mailtoUrl } from '../../mail/mailto.ts';
import { signatureHtml } from '../../templates/index.ts';
import { optOutAddress } from '../campaign/read-campaign.ts';
import type { SenderValues } from '../content/merge-values.ts';

/** The parts of a campaign's emails that come from its account and workspace. */
export interface PreviewSender {
  values: SenderValues;
  signatureHtml: string | null;
  footerHtml: string | null;
  /** True to take one text of each choice. */
  spintax: boolean;
}

/**
 * Reads these parts as sending does, except for the unsubscribe link. Every email has a link of its own; the one of a preview leads
 * nowhere. Throws nothing: for a campaign that the caller may not see, all parts are empty.
 */
export async function previewSender(app: App, caller: Caller, campaignId: number): Promise<PreviewSender> {
  const [row] = await app.db.query<{
    opt_out_address: string | null;
    tracking_host: string | null;
    signature: string | null;
    footer: string | null;
    spintax: boolean;
    postal_address: string | null;
  }>(sql`
    select ${optOutAddress('c', 'a')} as opt_out_address, a.tracking_host, ${signatureHtml('a')} as signature, c.spintax, case when c.footer then ${footerHtml('c.workspace_id')} end as footer,
      ${postalAddress('c.workspace_id')} as postal_address
    from campaigns c join accounts a on a.id = c.account_id
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')}`);
  const host = row?.tracking_host ?? app.config.publicUrl;
  const address = row?.opt_out_address ?? null;
  const url = host !== null ? `${host}/u/preview` : address === null ? '' : mailtoUrl(address, 'unsubscribe');
  return {
    values: { unsubscribe_url: url, postal_address: row?.postal_address ?? null },
    signatureHtml: row?.signature ?? null,
    footerHtml: row?.footer ?? null,
    spintax: row?.spintax ?? false,
  };
}
