import { audit, type Caller, differences, isVisible } from '../access/index.ts';
import type { App } from '../app.ts';
import { noteLabel } from '../campaigns/index.ts';
import { invalid } from '../core/errors.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { publishReply } from './publish.ts';
import { getReply, lockReply, type ReplyDetails } from './read-reply.ts';

/** Changes by users to a reply. Undefined fields keep their value. */
interface ReplyPatch {
  label?: string | null | undefined;
  is_read?: boolean | undefined;
  assigned_to?: number | null | undefined;
  /** Postpones the reply until then; null ends the postponement. */
  later_until?: Date | null | undefined;
}

/**
 * Labels a reply, marks it as read or unread, assigns it to a user, or postpones it. A postponed reply counts as read until it returns to
 * the top. A change is audited, and a new label published. Throws `not_found`, and `invalid_request` for a user who can't see the reply's
 * campaign and contact.
 */
export async function changeReply(app: App, caller: Caller, id: number, patch: ReplyPatch): Promise<ReplyDetails> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const reply = await lockReply(tx, caller, id);
    if (patch.later_until != null && patch.later_until <= now) throw invalid('later_until: must be in the future');
    const { later_until: later, ...rest } = patch;
    // A postponed reply needs no work until it returns.
    const wanted = { ...(later != null && { is_read: true, label: reply.label ?? 'later' }), ...definedOf(rest) };
    const at = later === undefined ? {} : { later_until: later === null ? null : formatTimestamp(later) };
    const changes = differences(reply, { ...wanted, ...at });
    if (Object.keys(changes).length === 0) return;
    if (changes.assigned_to !== undefined && patch.assigned_to) await requireAssignable(tx, id, patch.assigned_to);
    const { label, is_read, assigned_to } = { ...reply, ...wanted };
    const until = later === undefined ? sql`later_until` : sql`${later}::timestamptz`;
    await tx.query(sql`update replies set label = ${label}, is_read = ${is_read}, assigned_to = ${assigned_to}, later_until = ${until},
      has_returned = has_returned and not ${is_read} where id = ${id}`);
    await audit(tx, caller, now, { action: 'reply.update', resourceType: 'reply', resourceId: id, changes });
    if (changes.label === undefined) return;
    await publishReply(tx, 'reply.labelled', id, now);
    await noteLabel(tx, app, caller, { enrolmentId: await enrolmentOf(tx, id), replyId: id, label });
  });
  return getReply(app.db, caller, id);
}

const definedOf = (patch: ReplyPatch) => Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));

async function enrolmentOf(tx: Tx, id: number): Promise<number> {
  const [reply] = await tx.query<{ enrolment_id: number }>(sql`select enrolment_id from replies where id = ${id}`);
  return reply?.enrolment_id ?? 0;
}

async function requireAssignable(tx: Tx, id: number, userId: number): Promise<void> {
  const assignee = { userIn: 'u.id' };
  const able = await tx.query(sql`
    select from replies r join users u on u.id = ${userId}
    where r.id = ${id} and ${isVisible(assignee, 'campaigns', 'r.campaign_id')} and ${isVisible(assignee, 'contacts', 'r.contact_id')}`);
  if (able.length === 0) throw invalid('assigned_to: must be an enabled user of this workspace who can see the campaign');
}
