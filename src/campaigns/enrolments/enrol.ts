import { type Caller, requireVisible, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { suppressedCondition } from '../../contacts/index.ts';
import { invalid } from '../../core/errors.ts';
import { empty, raw, type Sql, sql } from '../../db/statement.ts';
import { discardPlans, refreshStatistics } from '../../db/statistics.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockCampaigns } from '../campaign/lock-campaigns.ts';
import { sequenceOf } from '../campaign/sequence.ts';
import { distributeByProvider, spreadOver } from './distribute.ts';
import { guardsOf, isAvoided, isElsewhere, lockContacts, wasEmailedBefore } from './duplicate-guard.ts';
import { enrolInto } from './enrol-into.ts';
import { type Distributed, holdForProviders, providerColumns, wantProvidersOf } from './provider-match.ts';
import { findSkipped, type Skipped, type SkipReason } from './skipped.ts';

export interface EnrolInput {
  contact_ids?: readonly number[] | undefined;
  list_ids?: readonly number[] | undefined;
}

/** Number of contacts who were enrolled and, if `details` were requested, the contacts who were not. */
export interface Enrolled {
  enrolled: number;
  skipped?: Skipped[];
}

/**
 * Enrols contacts, by id or by list, in one transaction. Each gets the event `enrolled`, an A/B group, and a first email that is due now or
 * at the scheduled start. Skips contacts who are already enrolled (in any status), deleted, archived or hidden, and contacts whose address
 * the sequence emailed when it belonged to another contact. Also skips contacts in other campaigns if the campaign has
 * `skip_if_in_campaign`, and contacts with a risky address if it has `skip_risky`. Contacts with a suppressed address are enrolled as
 * stopped. A completed campaign reopens. In a rotation group the contacts are distributed over its campaigns, and a contact in any of them
 * counts as enrolled.
 * With `details`, the result names the skipped contacts, see `findSkipped`.
 * Throws `not_found`, and `invalid_request` for an empty request or a list that does not exist.
 */
export async function enrol(
  app: App,
  caller: Caller,
  campaignId: number,
  input: EnrolInput,
  options: { details?: boolean } = {},
): Promise<Enrolled> {
  const contactIds = [...new Set(input.contact_ids ?? [])];
  const listIds = [...new Set(input.list_ids ?? [])];
  return app.db.tx(async (tx) => {
    await requireVisible(tx, caller, 'campaigns', campaignId);
    if (contactIds.length + listIds.length === 0) throw invalid('contact_ids: give contact_ids or list_ids with at least one id');
    await requireLists(tx, caller, listIds);
    const because = listIds.length === 0 ? {} : { list_ids: listIds };
    const details = options.details ?? false;
    const { enrolled, skipped } = await enrolWanted(tx, app, caller, campaignId, {
      contactIds,
      listIds,
      because,
      details,
      from: [],
      isBarred: NO_CONTACTS,
    });
    return { enrolled, ...(details ? { skipped: skipped as Skipped[] } : {}) };
  });
}

/** No contact is kept out by a suppressed address: such contacts are enrolled as stopped. */
const NO_CONTACTS = sql`false`;

interface Wanted {
  contactIds: readonly number[];
  listIds: readonly number[];
  /** Fields of the audit entry besides the number of contacts. */
  because: Readonly<Record<string, unknown>>;
  /** True to name the skipped contacts. */
  details: boolean;
  /** Condition on contact `k`: its suppressed address keeps it out. */
  isBarred: Sql;
  /** Campaigns that the contacts leave for this one; being in one of them keeps no contact out. */
  from: readonly number[];
}

/** Enrols contacts, as `enrol` does, into a campaign that the caller may see. */
async function enrolWanted(
  tx: Tx,
  app: App,
  caller: Caller,
  campaignId: number,
  { contactIds, listIds, because, details, isBarred, from }: Wanted,
): Promise<{ enrolled: number; skipped: Skipped<SkipReason>[] }> {
  await discardPlans(tx);
  const members = await sequenceOf(tx, campaignId);
  const guards = await guardsOf(tx, campaignId);
  const guard = guards.skip_if_in_campaign;
  const eligible = sql`${fromWanted(caller, contactIds, listIds)} and not ${wasEmailedBefore('k', members)}`;
  if (guard !== 'none') await lockContacts(tx, eligible);
  const skipped = details ? await skippedBy(tx, caller, members, { contactIds, listIds, guards, isBarred, from }) : [];
  const contacts = sql`${eligible} and not ${isBarred} and not ${isAvoided('k', guards)}${guard === 'none' ? empty : sql` and not ${isElsewhere('k', [...members, ...from], guard)}`}`;
  const { shares, held }: Shares =
    members.length === 1
      ? { shares: [[campaignId, contacts]], held: new Map() }
      : await distributeContacts(tx, app, caller, { campaignId, members, contacts });
  let enrolled = 0;
  for (const [member, share] of shares) enrolled += await enrolInto(tx, app, caller, member, share, because);
  if (held.size > 0) await holdForProviders(tx, sql`e.campaign_id = any(${members}::int[])`, 'contact_id', held, app.clock.now());
  tx.afterCommit(() => refreshStatistics(app.db.pool, ['contacts', 'enrolments', 'events'], enrolled));
  return { enrolled, skipped };
}

/**
 * Enrols contacts because of a rule. Works as `enrol` does, but skips suppressed addresses instead of enrolling them as stopped, and names
 * all skipped contacts. Throws `not_found`.
 * @param wanted at most 10,000 contacts
 */
export async function enrolAutomatically(
  tx: Tx,
  app: App,
  caller: Caller,
  campaignId: number,
  wanted: Pick<Wanted, 'contactIds' | 'because' | 'from'>,
): Promise<{ enrolled: number; skipped: Skipped<SkipReason>[] }> {
  await requireVisible(tx, caller, 'campaigns', campaignId);
  const isBarred = suppressedCondition(app, raw('k.workspace_id'), raw('k.email'));
  return enrolWanted(tx, app, caller, campaignId, { ...wanted, listIds: [], details: true, isBarred });
}

async function skippedBy(
  tx: Tx,
  caller: Caller,
  members: number[],
  wanted: Parameters<typeof findSkipped>[3],
): Promise<Skipped<SkipReason>[]> {
  await lockCampaigns(tx, members);
  return findSkipped(tx, caller, members, wanted);
}

async function requireLists(tx: Tx, caller: Caller, listIds: readonly number[]): Promise<void> {
  if (listIds.length === 0) return;
  const known = await tx.query<{ id: number }>(
    sql`select l.id from lists l where l.id = any(${listIds}::int[]) and ${visible(caller, 'lists', 'l')}`,
  );
  const unknown = listIds.find((id) => !known.some((row) => row.id === id));
  if (unknown !== undefined) throw invalid(`list_ids: there is no list ${unknown}`);
}

/** From clause: the requested contacts `k` that the caller may see, without archived ones. Indexes: contacts_pkey, list_members_pkey. */
const fromWanted = (caller: Caller, contactIds: readonly number[], listIds: readonly number[]): Sql => sql`
  from (
    select unnest(${contactIds}::int[]) as id
    union
    select m.contact_id from list_members m where m.list_id = any(${listIds}::int[])
  ) w join contacts k on k.id = w.id and ${visible(caller, 'contacts', 'k')} and not k.is_archived`;

/** The contacts that each campaign of a rotation group is to enrol, and the ids of contacts held for their provider, by reason. */
interface Shares {
  shares: readonly [number, Sql][];
  held: ReadonlyMap<string, readonly number[]>;
}

/**
 * Distributes contacts over the campaigns of a rotation group that take new ones: in random order, by provider, each to the campaign with
 * the fewest active enrolments. Leaves out contacts who are already in one of its campaigns.
 */
async function distributeContacts(
  tx: Tx,
  app: App,
  caller: Caller,
  { campaignId, members, contacts }: { campaignId: number; members: number[]; contacts: Sql },
): Promise<Shares> {
  await lockCampaigns(tx, members);
  const spread = await spreadOver(tx, members, campaignId);
  const seed = app.random.integer(0, 2 ** 31 - 1);
  const rows = await tx.query<Distributed>(sql`
    select k.id, ${providerColumns('k', spread.match)} ${contacts} and not exists (
      select from enrolments e where e.contact_id = k.id and e.campaign_id = any(${members}::int[]))
    order by md5(k.id || ':' || ${seed}::int)`);
  if (spread.match !== 'off') await wantProvidersOf(tx, rows, members, app.clock.now());
  const counts = new Map(spread.open.map(({ id, active }) => [id, active]));
  const { shares, held } = distributeByProvider(rows, spread, counts);
  const taken = [...shares].filter(([, items]) => items.length > 0);
  return {
    shares: taken.map(([member, items]) => [
      member,
      fromWanted(
        caller,
        items.map(({ id }) => id),
        [],
      ),
    ]),
    held,
  };
}
