import { type Caller, requireVisible, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { selectFound } from '../../contacts/search/index.ts';
import { invalid } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { sequenceOf } from '../campaign/sequence.ts';
import { campaignSearch } from '../search/campaign-search.ts';
import { holdEnrolments, requireFuture } from './hold.ts';
import { endEnrolments } from './transitions.ts';

/** Contacts of a campaign, chosen by id or by a query of the Smart Search language. Exactly one of the two is given. */
export interface ChosenContacts {
  contact_ids?: readonly number[] | undefined;
  q?: string | undefined;
}

/** Number of chosen contacts who were changed, and of those who were not because they are not active, not in the campaign, or unknown. */
export interface ChangedMany {
  changed: number;
  unchanged: number;
}

/** Maximum number of enrolments per request, which is one transaction. */
const MAX_CHANGED = 10_000;

/**
 * Stops the active enrolments of the chosen contacts in a campaign and its whole rotation group, in one transaction. Throws `not_found`,
 * and `invalid_request` for an invalid query or one that finds more than 10,000 contacts of the campaign.
 */
export async function stopContacts(app: App, caller: Caller, campaignId: number, chosen: ChosenContacts): Promise<ChangedMany> {
  await requireVisible(app.db, caller, 'campaigns', campaignId);
  const stop = { status: 'stopped', reason: 'manual' } as const;
  return changeChosen(app, caller, campaignId, chosen, (tx, ids) => endEnrolments(tx, app, caller, ids, stop));
}

/**
 * Holds the chosen contacts of a campaign until an instant, in the same way as `stopContacts` stops them. Also throws `invalid_request` for
 * an instant in the past.
 */
export async function holdContacts(
  app: App,
  caller: Caller,
  campaignId: number,
  { until, ...chosen }: ChosenContacts & { until: Date },
): Promise<ChangedMany> {
  await requireVisible(app.db, caller, 'campaigns', campaignId);
  requireFuture(app, until);
  return changeChosen(app, caller, campaignId, chosen, (tx, ids) => holdEnrolments(tx, app, caller, ids, { until, reason: 'manual' }));
}

/** @param campaignId a campaign that the caller can see */
async function changeChosen(
  app: App,
  caller: Caller,
  campaignId: number,
  chosen: ChosenContacts,
  change: (tx: Tx, enrolmentIds: number[]) => Promise<number[]>,
): Promise<ChangedMany> {
  if ((chosen.contact_ids === undefined) === (chosen.q === undefined)) throw invalid('contact_ids: give either contact_ids or q');
  const found = await enrolmentsOf(app, caller, campaignId, chosen);
  if (found.length > MAX_CHANGED)
    throw invalid('q: finds more than 10,000 contacts of the campaign, the most that one request can change; narrow it down');
  const total = chosen.contact_ids === undefined ? found.length : new Set(chosen.contact_ids).size;
  const changed = await app.db.tx((tx) => change(tx, found));
  return { changed: changed.length, unchanged: total - changed.length };
}

/** Returns the ids of the chosen contacts' enrolments, at most one more than the maximum. Index: enrolments_campaign_id_contact_id_key. */
async function enrolmentsOf(app: App, caller: Caller, campaignId: number, { contact_ids: ids, q }: ChosenContacts): Promise<number[]> {
  const found =
    q === undefined
      ? sql`select k.id from contacts k where k.id = any(${ids}::int[]) and ${visible(caller, 'contacts', 'k')}`
      : await selectFound(app, caller, q, campaignSearch);
  const rows = await app.db.query<{ id: number }>(sql`
    with found as materialized (${found})
    select e.id from found join enrolments e on e.contact_id = found.id
    where e.campaign_id = any(${await sequenceOf(app.db, campaignId)}::int[]) order by e.id limit ${MAX_CHANGED + 1}`);
  return rows.map(({ id }) => id);
}
