import { type Caller, isHidden, notHidden } from '../access/index.ts';
import { listPage, mostCounted, type Page, type PageRequest } from '../db/page.ts';
import { lastStableId } from '../db/stable-id.ts';
import { empty, join, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { hasDraft } from '../outbox/index.ts';
import { type ReplyRow, replyColumns } from './reply.ts';
import { DEFAULT_KINDS, type ReplyKind } from './reply-kind.ts';
import { SEARCH_LIMITS, searchReplies, wordsOf } from './search-replies.ts';

export interface ReplyFilter {
  kind?: ReplyKind | undefined;
  campaignId?: number | undefined;
  contactId?: number | undefined;
  accountId?: number | undefined;
  label?: string | undefined;
  isRead?: boolean | undefined;
  assignedTo?: number | undefined;
  /** Only replies with (true) or without (false) a drafted answer. */
  hasDraft?: boolean | undefined;
  /** Only replies received at or after this instant. */
  since?: Date | undefined;
  /** Prefixes of words in the sender, the subject or the author's own text; all must match. */
  q?: string | undefined;
  /** Only replies recorded after the one with this id. */
  afterId?: number | undefined;
}

/**
 * Lists the replies recorded after the one with id `afterId`, in the order of their ids. A list ends before the first reply that may still
 * be missing, so a reply that commits late appears in a later list, and none is skipped. The total is counted up to `mostCounted`. Index:
 * replies_pkey.
 */
export async function listRepliesAfter(db: Queryable, caller: Caller, filter: ReplyFilter & { afterId: number }, page: PageRequest) {
  const stable = await lastStableId(db, 'replies');
  const words = filter.q === undefined ? empty : sql`and r.words @@ ${(await wordsOf(db, filter.q)).join(' & ')}::tsquery`;
  const conditions = sql`${conditionsOf(caller, filter, page.offset + page.limit)} ${words} and r.id <= ${stable}`;
  return listPage<ReplyRow>(
    db,
    sql`select ${replyColumns('r')} from replies r where ${conditions} order by r.id`,
    sql`select count(*)::int as total from (select from replies r where ${conditions} limit ${mostCounted(page, SEARCH_LIMITS.counted)}) counted`,
    page,
  );
}

/**
 * Lists the replies of the campaigns that the caller can see: first possible unsubscribe requests and postponed replies that have returned,
 * then the others, each newest first. Leaves out replies of hidden contacts. Throws `invalid_request` for a `q` without a letter or digit.
 * With `q`, the total is counted up to `mostCounted`. An index-only scan chooses the page, and its rows are fetched afterwards. Indexes:
 * replies_first, replies_page, replies_marked, replies_campaign, replies_contact.
 */
export async function listReplies(db: Queryable, caller: Caller, filter: ReplyFilter, page: PageRequest): Promise<Page<ReplyRow>> {
  if (filter.q !== undefined) return listFound(db, caller, filter, page, filter.q);
  const conditions = conditionsOf(caller, filter, page.offset + page.limit);
  const end = page.offset + page.limit;
  const part = (isFirst: Sql) =>
    sql`(select r.id, ${isFirst} as is_first, r.received_at from replies r where ${conditions}
      and (r.may_ask_to_be_removed or r.has_returned) = ${isFirst} order by r.received_at desc, r.id desc limit ${end})`;
  const chosen = sql`select id, is_first from (${part(sql`true`)} union all ${part(sql`false`)}) parts
    order by is_first desc, received_at desc, id desc`;
  const [data, [count]] = await Promise.all([
    db.query<ReplyRow>(sql`
      select ${replyColumns('r')} from (${chosen} limit ${page.limit} offset ${page.offset}) chosen
      join replies r on r.id = chosen.id order by chosen.is_first desc, r.received_at desc, r.id desc`),
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

/**
 * Selects the `total`: the replies that match the filter, counted in an index, minus those hidden from the caller.
 * Indexes: those of `listReplies`, contacts_hidden, campaigns_hidden.
 */
function totalOf(caller: Caller, filter: ReplyFilter): Sql {
  const wanted = filterCondition(caller, filter);
  const hiddenBy = (table: 'campaigns' | 'contacts', column: 'campaign_id' | 'contact_id') => sql`
    select r.id from ${raw(table)} h join replies r on r.${raw(column)} = h.id and ${wanted} where ${isHidden(caller, table, 'h')}`;
  return sql`
    select ((select count(*) from replies r where ${wanted}) - (
      select count(*) from (${hiddenBy('campaigns', 'campaign_id')} union ${hiddenBy('contacts', 'contact_id')}) hidden))::int as total`;
}

/** Condition: the filter without its words, and the caller may see the reply. @param examined rough number of rows that are examined */
const conditionsOf = (caller: Caller, filter: ReplyFilter, examined: number): Sql => sql`${filterCondition(caller, filter)}
  and ${notHidden(caller, 'campaigns', sql`r.campaign_id`, examined)} and ${notHidden(caller, 'contacts', sql`r.contact_id`, examined)}`;

/** Condition: the filter without its words. */
function filterCondition({ workspaceId }: Caller, filter: ReplyFilter): Sql {
  const { kind, campaignId, contactId, accountId, label, isRead, assignedTo, hasDraft: isDrafted, since, afterId } = filter;
  return join(
    [
      sql`r.workspace_id = ${workspaceId} and r.kind = any(${kind === undefined ? DEFAULT_KINDS : [kind]}::text[])`,
      campaignId === undefined ? empty : sql`r.campaign_id = ${campaignId}`,
      contactId === undefined ? empty : sql`r.contact_id = ${contactId}`,
      accountId === undefined ? empty : sql`r.account_id = ${accountId}`,
      label === undefined ? empty : sql`r.label = ${label}`,
      isRead === undefined ? empty : isRead ? sql`r.is_read` : sql`not r.is_read`,
      assignedTo === undefined ? empty : sql`r.assigned_to = ${assignedTo}`,
      isDrafted === undefined ? empty : isDrafted ? hasDraft('r') : sql`not ${hasDraft('r')}`,
      since === undefined ? empty : sql`r.received_at >= ${since}`,
      afterId === undefined ? empty : sql`r.id > ${afterId}`,
    ].filter((condition) => condition !== empty),
    ' and ',
  );
}
