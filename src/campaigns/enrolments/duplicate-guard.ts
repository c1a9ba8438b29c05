import { isRiskyAddress } from '../../contacts/index.ts';
import { empty, raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { emailsToAddress } from '../../outbox/index.ts';
import type { CampaignOptions, InCampaign } from '../options/campaign-options.ts';
import { enrolmentIs } from '../states/enrolment.ts';

/**
 * Condition: contact `contact` is in a campaign outside of the sequence, in a way that keeps the contact from being enrolled. Index:
 * enrolments_contact.
 * @param sequence ids of the campaigns of the rotation group
 */
export function isElsewhere(contact: string, sequence: readonly number[], which: InCampaign): Sql {
  if (which === 'none') return sql`false`;
  return sql`exists (
    select from enrolments g join campaigns o on o.id = g.campaign_id and o.deleted_at is null
    where g.contact_id = ${raw(contact)}.id and g.campaign_id <> all(${sequence}::int[])${which === 'active' ? sql` and ${enrolmentIs('g', 'active')}` : empty})`;
}

/**
 * Condition: the sequence has already emailed the address of contact `contact` when it belonged to another contact. A contact who was
 * deleted and imported again must get nothing twice.
 * @param sequence ids of the campaigns of the rotation group
 */
export const wasEmailedBefore = (contact: string, sequence: readonly number[]): Sql =>
  sql`exists (select ${emailsToAddress(raw(`${contact}.workspace_id`), raw(`${contact}.email`))}
    and o.campaign_id = any(${sequence}::int[]) and o.contact_id <> ${raw(contact)}.id)`;

/** The settings of a campaign that keep contacts from being enrolled. */
export type Guards = Pick<CampaignOptions, 'skip_if_in_campaign' | 'skip_risky'>;

/** Reads the guards of a campaign. Index: campaigns_pkey. */
export async function guardsOf(tx: Tx, campaignId: number): Promise<Guards> {
  const [row] = await tx.query<Guards>(sql`select c.skip_if_in_campaign, c.skip_risky from campaigns c where c.id = ${campaignId}`);
  return row ?? { skip_if_in_campaign: 'none', skip_risky: false };
}

/** Condition: the address of contact `contact` keeps it from being enrolled. */
export const isAvoided = (contact: string, { skip_risky }: Guards): Sql => (skip_risky ? isRiskyAddress(contact) : sql`false`);

/**
 * Locks contacts who are about to be enrolled by a guarded campaign. Two campaigns that enrol them at the same time then run one after the
 * other, so that the second sees the enrolments of the first.
 * @param contacts a `from` clause with the contacts as `k`
 */
export async function lockContacts(tx: Tx, contacts: Sql): Promise<void> {
  await tx.query(sql`select 1 ${contacts} order by k.id for no key update of k`);
}
