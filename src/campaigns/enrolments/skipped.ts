import { type Caller, visible } from '../../access/index.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { type Guards, isAvoided, isElsewhere, wasEmailedBefore } from './duplicate-guard.ts';

export const SKIP_REASONS = ['already_enrolled', 'archived', 'emailed_before', 'in_other_campaign', 'not_found', 'risky_address'] as const;

/**
 * Why an enrolment leaves a contact out. One that is deleted, unknown or hidden from the caller is `not_found`; `emailed_before` is one whose
 * address the campaign emailed when it was that of another contact, who may be deleted. `suppressed` is only
 * for enrolments by a rule: others enrol such contacts as stopped.
 */
export type SkipReason = (typeof SKIP_REASONS)[number] | 'suppressed';

/** A contact that an enrolment leaves out. */
export interface Skipped<Reason extends string = (typeof SKIP_REASONS)[number]> {
  contact_id: number;
  reason: Reason;
}

/** Named at most: a list may have a million contacts. */
const MAX_NAMED_CONTACTS = 10_000;

/**
 * The wanted contacts that can't be enrolled, by id, at most 10,000. Of a list only those whom the caller sees: the others would be told by their
 * ids. To be asked under the locks of the campaigns, so that nobody is
 * enrolled meanwhile. Indexes: contacts_pkey, list_members_pkey, enrolments_campaign_id_contact_id_key.
 * @param campaignIds the campaigns of the sequence
 * @param wanted `isBarred`: condition on the contact `k` that its address is suppressed, where that counts; `from`: campaigns
 * that do not count as others
 */
export function findSkipped(
  tx: Tx,
  caller: Caller,
  campaignIds: readonly number[],
  wanted: { contactIds: readonly number[]; listIds: readonly number[]; guards: Guards; isBarred: Sql; from: readonly number[] },
): Promise<Skipped<SkipReason>[]> {
  return tx.query<Skipped<SkipReason>>(sql`
    select w.id as contact_id,
      case when k.id is null then 'not_found' when e.id is not null then 'already_enrolled'
        when k.is_archived then 'archived' when ${wasEmailedBefore('k', campaignIds)} then 'emailed_before' when ${wanted.isBarred} then 'suppressed'
        when ${isAvoided('k', wanted.guards)} then 'risky_address' else 'in_other_campaign' end as reason
    from (
      select unnest(${wanted.contactIds}::int[]) as id
      union
      select m.contact_id from list_members m join contacts k on k.id = m.contact_id and ${visible(caller, 'contacts', 'k')}
      where m.list_id = any(${wanted.listIds}::int[])
    ) w
    left join contacts k on k.id = w.id and ${visible(caller, 'contacts', 'k')}
    left join lateral (
      select e.id from enrolments e where e.contact_id = k.id and e.campaign_id = any(${campaignIds}::int[]) limit 1
    ) e on true
    where k.id is null or k.is_archived or e.id is not null or ${wasEmailedBefore('k', campaignIds)} or ${wanted.isBarred}
      or ${isAvoided('k', wanted.guards)} or ${isElsewhere('k', [...campaignIds, ...wanted.from], wanted.guards.skip_if_in_campaign)}
    order by w.id limit ${MAX_NAMED_CONTACTS}`);
}
