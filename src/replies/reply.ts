import { raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import { hasDraft } from '../outbox/index.ts';
import type { ReplyKind } from './reply-kind.ts';

/** An attachment. Its content is stored only in the mailbox. */
export interface ReplyFile {
  name: string;
  /** In bytes. */
  size: number;
}

/** One record of `GET /replies`. */
export interface ReplyRow {
  id: number;
  kind: ReplyKind;
  /** Campaign, contact, account and step of the email that was answered. */
  campaign_id: number;
  contact_id: number;
  account_id: number;
  step_order: number;
  from: string;
  from_name: string;
  subject: string;
  /** The beginning of the author's own text, without quotations and signature. */
  snippet: string;
  /** True if it may be an unsubscribe request; the contact is then held in all campaigns until a user decides. */
  may_ask_to_be_removed: boolean;
  label: string | null;
  is_read: boolean;
  /** The time until which it is postponed. */
  later_until: string | null;
  /** True if its postponement has ended; it then stays at the top until a user handles it. */
  has_returned: boolean;
  /** Id of a user. */
  assigned_to: number | null;
  received_at: string;
  answered_at: string | null;
  /** True if an answer to it waits for a user's approval. */
  has_draft: boolean;
}

const MAX_SNIPPET = raw('500');

/** Columns of a `ReplyRow`, for a statement that selects from `replies` under this alias. */
export function replyColumns(alias: string): Sql {
  const r = raw(alias);
  return sql`${r}.id, ${r}.kind, ${r}.campaign_id, ${r}.contact_id, ${r}.account_id, ${r}.step_order, ${r}.sender as "from",
    ${r}.sender_name as from_name, ${r}.subject, left(${r}.own_text, ${MAX_SNIPPET}) as snippet, ${r}.may_ask_to_be_removed, ${r}.label, ${r}.is_read, ${r}.assigned_to, ${r}.has_returned,
    ${timestamp(`${alias}.later_until`)} as later_until,
    ${timestamp(`${alias}.received_at`)} as received_at, ${timestamp(`${alias}.answered_at`)} as answered_at,
    ${hasDraft(alias)} as has_draft`;
}
