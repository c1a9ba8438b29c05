import { type Caller, notHidden } from '../access/index.ts';
import { invalid } from '../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { settledId } from '../db/settled.ts';
import { empty, join, type Queryable, type Sql, sql } from '../db/statement.ts';
import { type ReplyKind, type ReplyRow, replyColumns, USUAL_KINDS } from './reply.ts';
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
 * list and none before it is: a list ends before the first reply that may still be missing. Index: replies_pkey.
 */
export async function listRepliesAfter(db: Queryable, caller: Caller, filter: ReplyFilter & { afterId: number }, page: PageRequest) {
  const settled = await settledId(db, 'replies');
  const words = filter.q === undefined ? null : await wordQuery(db, filter.q);
  const conditions = sql`${conditionsOf(caller, filter, words, page.offset + page.limit)} and r.id <= ${settled ?? 0}`;
  return listPage<ReplyRow>(
    db,
    sql`select ${replyColumns('r')} from replies r where ${conditions} order by r.id`,
    sql`select count(*)::int as total from replies r where ${conditions}`,
    page,
  );
}

/**
 * Lists the replies of the campaigns that the caller can see, newest first; those of hidden contacts are left out. Throws
 * `invalid_request` for a `q` without a letter or digit. The page is chosen by an index-only scan, and its rows fetched afterwards.
 * Indexes: replies_page, replies_unread, replies_campaign, replies_account, replies_contact, replies_label, replies_assigned,
 * replies_words.
 */
export async function listReplies(db: Queryable, caller: Caller, filter: ReplyFilter, page: PageRequest): Promise<Page<ReplyRow>> {
  const words = filter.q === undefined ? null : await wordQuery(db, filter.q);
  const conditions = conditionsOf(caller, filter, words, page.offset + page.limit);
  const chosen = sql`select r.id from replies r where ${conditions} order by r.received_at desc, r.id desc`;
  const [data, [count]] = await Promise.all([
    db.query<ReplyRow>(sql`
      select ${replyColumns('r')} from (${chosen} limit ${page.limit} offset ${page.offset}) chosen
      join replies r on r.id = chosen.id order by r.received_at desc, r.id desc`),
    db.query<{ total: number }>(totalOf(caller, filter, words)),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/** Replies filtered by contact, time or words are counted in their index; all others have counters. */
function totalOf(caller: Caller, filter: ReplyFilter, words: string | null): Sql {
  const { contactId, since, afterId } = filter;
  if (contactId === undefined && since === undefined && afterId === undefined && words === null)
    return countedReplies(caller, { ...filter, kinds: kindsOf(filter) });
  const examined = contactId === undefined ? Number.POSITIVE_INFINITY : 0;
  return sql`select count(*)::int as total from replies r where ${conditionsOf(caller, filter, words, examined)}`;
}

const kindsOf = ({ kind }: ReplyFilter): readonly ReplyKind[] => (kind === undefined ? USUAL_KINDS : [kind]);

/** @param examined rough number of rows that are examined */
function conditionsOf(caller: Caller, filter: ReplyFilter, words: string | null, examined: number): Sql {
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
      words === null ? empty : sql`r.words @@ ${words}::tsquery`,
      notHidden(caller, 'campaigns', sql`r.campaign_id`, examined),
      notHidden(caller, 'contacts', sql`r.contact_id`, examined),
    ].filter((condition) => condition !== empty),
    ' and ',
  );
}

/** The words of a search as a tsquery that finds all of them by their beginnings. PostgreSQL splits them as it does the replies. */
async function wordQuery(db: Queryable, q: string): Promise<string> {
  const rows = await db.query<{ word: string }>(sql`select unnest(tsvector_to_array(words_of(${q}))) as word`);
  if (rows.length === 0) throw invalid('q: must contain a letter or a digit');
  return rows.map(({ word }) => `'${word.replaceAll("'", "''").replaceAll('\\', '\\\\')}':*`).join(' & ');
}
