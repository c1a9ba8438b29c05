import { type Caller, notHidden } from '../access/index.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { settledId } from '../db/settled.ts';
import { empty, join, type Queryable, type Sql, sql } from '../db/statement.ts';
import { type ReplyKind, type ReplyRow, replyColumns, USUAL_KINDS } from './reply.ts';
import { mostCounted, SEARCH_LIMITS, searchReplies, wordsOf } from './search-replies.ts';
import { countedReplies } from './totals.ts';

export interface ReplyFilter {
  kind?: ReplyKind | undefined;
  campaignId?: number | undefined;
  contactId?: number | undefined;
  accountId?: number | undefined;
  label?: string | undefined;
  isRead?: boolean | undefined;
  assignedTo?: number | undefined;
  /** Only replies received at or after this instant. */
  since?: Date | undefined;
  /** Words, each the beginning of one in sender, subject or what the author wrote. */
  q?: string | undefined;
  /** Only replies that were recorded after the one with this id. */
  afterId?: number | undefined;
}

/**
 * Lists the replies that were recorded after the one with id `afterId`, in the order of their ids. One that commits late is in a later
 * list and none before it is: a list ends before the first reply that may still be missing. The total is counted as far as
 * `mostCounted` says. Index: replies_pkey.
 */
export async function listRepliesAfter(db: Queryable, caller: Caller, filter: ReplyFilter & { afterId: number }, page: PageRequest) {
  const settled = await settledId(db, 'replies');
  const words = filter.q === undefined ? empty : sql`and r.words @@ ${(await wordsOf(db, filter.q)).join(' & ')}::tsquery`;
  const conditions = sql`${conditionsOf(caller, filter, page.offset + page.limit)} ${words} and r.id <= ${settled ?? 0}`;
  return listPage<ReplyRow>(
    db,
    sql`select ${replyColumns('r')} from replies r where ${conditions} order by r.id`,
    sql`select count(*)::int as total from (select from replies r where ${conditions} limit ${mostCounted(page)}) counted`,
    page,
  );
}

/**
 * Lists the replies of the campaigns that the caller can see, newest first; those of hidden contacts are left out. Throws
 * `invalid_request` for a `q` without a letter or digit; with `q` the total is counted as far as `mostCounted` says. The page is chosen by
 * an index-only scan, and its rows fetched afterwards. Indexes: replies_page, replies_unread, replies_campaign, replies_account,
 * replies_contact, replies_label, replies_assigned.
 */
export async function listReplies(db: Queryable, caller: Caller, filter: ReplyFilter, page: PageRequest): Promise<Page<ReplyRow>> {
  if (filter.q !== undefined) return listFound(db, caller, filter, page, filter.q);
  const conditions = conditionsOf(caller, filter, page.offset + page.limit);
  const chosen = sql`select r.id from replies r where ${conditions} order by r.received_at desc, r.id desc`;
  const [data, [count]] = await Promise.all([
    db.query<ReplyRow>(sql`
      select ${replyColumns('r')} from (${chosen} limit ${page.limit} offset ${page.offset}) chosen
      join replies r on r.id = chosen.id order by r.received_at desc, r.id desc`),
    db.query<{ total: number }>(totalOf(caller, filter)),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

async function listFound(db: Queryable, caller: Caller, filter: ReplyFilter, page: PageRequest, q: string): Promise<Page<ReplyRow>> {
  const rest = (examined: number) => conditionsOf(caller, filter, examined);
  const { total, ids } = await searchReplies(db, { rest, words: await wordsOf(db, q), page, limits: SEARCH_LIMITS });
  const data = await db.query<ReplyRow>(
    sql`select ${replyColumns('r')} from replies r where r.id = any(${ids}::int[]) order by r.received_at desc, r.id desc`,
  );
  return { data, pagination: { total, ...page } };
}

/** Replies filtered by contact are counted in their index; all others have counters, by month. */
function totalOf(caller: Caller, filter: ReplyFilter): Sql {
  const { contactId, since } = filter;
  const inIndex = sql`select count(*)::int as total from replies r where ${conditionsOf(caller, filter, contactId === undefined ? Number.POSITIVE_INFINITY : 0)}`;
  if (contactId !== undefined) return inIndex;
  const counted = { ...filter, kinds: kindsOf(filter) };
  if (since === undefined) return countedReplies(caller, counted);
  const from = new Date(Date.UTC(since.getUTCFullYear(), since.getUTCMonth() + 1));
  return sql`select (${countedReplies(caller, { ...counted, from })}) + (${inIndex} and r.received_at < ${from}) as total`;
}

const kindsOf = ({ kind }: ReplyFilter): readonly ReplyKind[] => (kind === undefined ? USUAL_KINDS : [kind]);

/** The filter but for its words. @param examined rough number of rows that are examined */
function conditionsOf(caller: Caller, filter: ReplyFilter, examined: number): Sql {
  const { campaignId, contactId, accountId, label, isRead, assignedTo, since, afterId } = filter;
  return join(
    [
      sql`r.workspace_id = ${caller.workspaceId} and r.kind = any(${kindsOf(filter)}::text[])`,
      campaignId === undefined ? empty : sql`r.campaign_id = ${campaignId}`,
      contactId === undefined ? empty : sql`r.contact_id = ${contactId}`,
      accountId === undefined ? empty : sql`r.account_id = ${accountId}`,
      label === undefined ? empty : sql`r.label = ${label}`,
      isRead === undefined ? empty : isRead ? sql`r.is_read` : sql`not r.is_read`,
      assignedTo === undefined ? empty : sql`r.assigned_to = ${assignedTo}`,
      since === undefined ? empty : sql`r.received_at >= ${since}`,
      afterId === undefined ? empty : sql`r.id > ${afterId}`,
      notHidden(caller, 'campaigns', sql`r.campaign_id`, examined),
      notHidden(caller, 'contacts', sql`r.contact_id`, examined),
    ].filter((condition) => condition !== empty),
    ' and ',
  );
}
