import type { Caller } from '../access/index.ts';
import { notFound } from '../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import { asDraft, type Draft, draftColumns, isDraft } from '../outbox/index.ts';
import { isSeen } from './visible-replies.ts';

/** A draft, with the campaign, contact and author of the reply that it answers. */
export interface DraftRecord extends Draft {
  campaign_id: number;
  contact_id: number;
  /** The author of the reply, who will receive the answer. */
  to: string;
}

type DraftRow = Omit<DraftRecord, 'body_text'>;

const columns = sql`${draftColumns('w')}, r.campaign_id, r.contact_id, r.sender as "to"`;

/** A `from` clause with the drafts of answers to replies that the caller can see. */
const visibleDrafts = (caller: Caller): Sql =>
  sql`from answers w join replies r on r.id = w.reply_id where ${isDraft('w')} and ${isSeen(caller)}`;

/** Lists the drafts that wait for approval, oldest first. Indexes: answers_drafts, which is small, and replies_pkey. */
export async function listDrafts(db: Queryable, caller: Caller, page: PageRequest): Promise<Page<DraftRecord>> {
  const { data, pagination } = await listPage<DraftRow>(
    db,
    sql`select ${columns} ${visibleDrafts(caller)} order by w.id`,
    sql`select count(*)::int as total ${visibleDrafts(caller)}`,
    page,
  );
  return { data: data.map(asDraft), pagination };
}

/** Reads a draft. Throws `not_found`. Indexes: answers_pkey, replies_pkey. */
export async function getDraft(db: Queryable, caller: Caller, id: number): Promise<DraftRecord> {
  const [row] = await db.query<DraftRow>(sql`select ${columns} ${visibleDrafts(caller)} and w.id = ${id}`);
  if (row === undefined) throw notFound('draft');
  return asDraft(row);
}

/** Returns the id of the reply that a draft answers. Throws `not_found` unless the caller can see it. */
export const replyOfDraft = async (db: Queryable, caller: Caller, id: number): Promise<number> => (await getDraft(db, caller, id)).reply_id;
