import { type Caller, visible } from '../../access/index.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { type Guards, isAvoided, isElsewhere, wasEmailedBefore } from './duplicate-guard.ts';

export const SKIP_REASONS = ['already_enrolled', 'archived', 'emailed_before', 'in_other_campaign', 'not_found', 'risky_address'] as const;

/**
 * Reason why a contact was not enrolled. `not_found` means that the contact is deleted, unknown or hidden from the caller. `emailed_before`
 * means that the campaign emailed the address when it belonged to another contact, who may be deleted. `suppressed` only occurs for
 * enrolments by a rule; others enrol such contacts as stopped.
 */
export type SkipReason = (typeof SKIP_REASONS)[number] | 'suppressed';

/** A contact who was not enrolled. */
export interface Skipped<Reason extends string = (typeof SKIP_REASONS)[number]> {
  contact_id: number;
  reason: Reason;
}

/** Maximum number of contacts to name; a list may have a million. */
const MAX_NAMED_CONTACTS = 10_000;

/**
 * Finds the requested contacts who can't be enrolled, ordered by id, up to 10,000. From a list, returns only contacts whom the caller can
 * see, because the result would reveal the ids of the others. Call it with the campaigns locked; otherwise a contact could be enrolled in
 * between. Indexes: contacts_pkey, list_members_pkey, enrolments_campaign_id_contact_id_key.
 * @param campaignIds the campaigns of the sequence
 * @param wanted `isBarred`: condition that the address of contact `k` is suppressed, if that matters; `from`: campaigns that do not count
 * as other campaigns
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
