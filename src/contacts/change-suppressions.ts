import { audit, type Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { addressOrDomain, cleanAddress } from '../core/email-address.ts';
import { notFound } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { publish } from '../webhooks/index.ts';
import { contactObject } from './contact-object.ts';
import { isPublicDomain } from './public-domain.ts';
import { isSuppressed, type SuppressionRow, suppressionColumns } from './suppressions.ts';

/**
 * Suppresses an address, or a domain given as `@example.com`, in the caller's transaction. An entry that is suppressed already keeps its
 * first reason; one that was removed comes back with the new reason. A suppression of one workspace applies everywhere from the first call
 * without `workspaceOnly`. The domain of a mailbox provider is suppressed in its workspace alone, because the people there have nothing to
 * do with each other. The caller ends the enrolments of the address.
 */
export async function addSuppression(
  tx: Tx,
  app: App,
  caller: Caller,
  input: { email: string; reason: string | null; workspaceOnly?: boolean; replyId?: number | undefined },
): Promise<SuppressionRow & { isNew: boolean }> {
  const now = app.clock.now();
  const { email } = addressOrDomain(input.email);
  const workspaceOnly = isWorkspaceOnly(input);
  const replyIds = input.replyId === undefined ? null : [input.replyId];
  const [added] = await tx.query<SuppressionRow>(sql`
    insert into suppressions as s (workspace_id, email, reason, created_by, created_at, workspace_only, reply_ids)
    values (${caller.workspaceId}, ${email}, ${input.reason}, ${caller.userId}, ${now}, ${workspaceOnly}, ${replyIds}::int[])
    on conflict (workspace_id, mailbox_key(email)) do update set
      email = excluded.email, reason = excluded.reason, created_by = excluded.created_by, created_at = excluded.created_at, removed_at = null,
      workspace_only = excluded.workspace_only, reply_ids = excluded.reply_ids
      where s.removed_at is not null
    returning ${suppressionColumns}`);
  if (added !== undefined) {
    await audit(tx, caller, now, {
      action: 'suppression.add',
      resourceType: 'suppression',
      resourceId: added.id,
      changes: { email, reason: input.reason, ...(workspaceOnly ? { workspace_only: true } : {}) },
    });
    await publishSuppression(tx, added.id, now);
    return { ...added, isNew: true };
  }
  const [present] = await tx.query<SuppressionRow>(sql`
    select ${suppressionColumns} from suppressions s where s.workspace_id = ${caller.workspaceId} and mailbox_key(s.email) = mailbox_key(${email})`);
  if (present === undefined) throw new Error('the suppression was removed while it was added');
  if (!workspaceOnly) await widen(tx, caller, present.id, now);
  await addCause(tx, present.id, replyIds);
  return { ...present, isNew: false };
}

/** Records another reply as a cause of a suppression. Null is a cause that no correction of a reply removes. */
async function addCause(tx: Tx, id: number, replyIds: readonly number[] | null): Promise<void> {
  await tx.query(sql`
    update suppressions set reply_ids = case when ${replyIds}::int[] is not null then reply_ids || ${replyIds}::int[] end
    where id = ${id} and reply_ids is not null and not coalesce(reply_ids @> ${replyIds}::int[], false)`);
}

/** Removes the suppressions that a reply caused, unless they have another cause too. Index: suppressions_replies. */
export async function removeReplySuppressions(tx: Tx, app: App, caller: Caller, replyId: number): Promise<void> {
  const now = app.clock.now();
  const rows = await tx.query<{ id: number; email: string; is_over: boolean }>(sql`
    update suppressions s set reply_ids = array_remove(s.reply_ids, ${replyId}::int),
      removed_at = case when s.reply_ids = array[${replyId}::int] then ${now}::timestamptz end
    where s.reply_ids is not null and s.reply_ids @> array[${replyId}::int] and s.removed_at is null and s.workspace_id = ${caller.workspaceId}
    returning s.id, s.email, s.removed_at is not null as is_over`);
  for (const { id, email, is_over } of rows)
    if (is_over)
      await audit(tx, caller, now, { action: 'suppression.remove', resourceType: 'suppression', resourceId: id, changes: { email } });
}

/**
 * Removes the suppression that a bounce has caused since a given time, because the message was not a bounce. Index: suppressions_address.
 */
export async function removeBounceSuppressions(tx: Tx, app: App, caller: Caller, email: string, since: Date): Promise<void> {
  const now = app.clock.now();
  const rows = await tx.query<{ id: number }>(sql`
    update suppressions set removed_at = ${now}
    where workspace_id = ${caller.workspaceId} and mailbox_key(email) = mailbox_key(${email}) and reason = 'bounce' and created_at >= ${since} and removed_at is null
    returning id`);
  for (const { id } of rows)
    await audit(tx, caller, now, { action: 'suppression.remove', resourceType: 'suppression', resourceId: id, changes: { email } });
}

/** Extends a suppression to every workspace, with an audit entry if it was limited to one. */
async function widen(tx: Tx, caller: Caller, id: number, now: Date): Promise<void> {
  const widened = await tx.query(sql`update suppressions set workspace_only = false where id = ${id} and workspace_only returning id`);
  if (widened.length === 0) return;
  const changes = { workspace_only: false };
  await audit(tx, caller, now, { action: 'suppression.widen', resourceType: 'suppression', resourceId: id, changes });
}

/** Publishes a suppression, with the contact of the workspace that has the address, if any. Index: contacts_live_email. */
async function publishSuppression(tx: Tx, id: number, at: Date): Promise<void> {
  await publish(
    tx,
    sql`
    select s.workspace_id, 'contact.suppressed' as type, null::bigint as event_id, null::int as campaign_id, k.id as contact_id,
      null::int as account_id, json_build_object('suppression', (select row_to_json(record) from (select ${suppressionColumns}) record),
        'contact', case when k.id is not null then ${contactObject('k')} end) as data, null::text as reply_body, ${at}::timestamptz as at
    from suppressions s
    left join contacts k on k.workspace_id = s.workspace_id and address_key(k.email) = address_key(s.email) and k.deleted_at is null
    where s.id = ${id}`,
  );
}

/**
 * Removes a suppression of the workspace; enrolments that it stopped stay stopped. Throws `not_found`.
 * @returns true if the address is still suppressed, because of another workspace or an erasure
 */
export async function removeSuppression(app: App, caller: Caller, text: string): Promise<boolean> {
  const now = app.clock.now();
  const cleaned = cleanAddress(text);
  const email = /^\*?@/.test(cleaned) ? addressOrDomain(cleaned).email : cleaned;
  return app.db.tx(async (tx) => {
    const [row] = await tx.query<{ id: number }>(sql`
      update suppressions set removed_at = ${now}
      where workspace_id = ${caller.workspaceId} and mailbox_key(email) = mailbox_key(${email}) and removed_at is null returning id`);
    if (row === undefined) throw notFound(`suppression "${email}"`);
    await audit(tx, caller, now, { action: 'suppression.remove', resourceType: 'suppression', resourceId: row.id, changes: { email } });
    return isSuppressed(tx, app, caller.workspaceId, email);
  });
}

function isWorkspaceOnly({ email, workspaceOnly = false }: { email: string; workspaceOnly?: boolean }): boolean {
  const { domain } = addressOrDomain(email);
  return workspaceOnly || (domain !== null && isPublicDomain(domain));
}

/** True if a suppression stops only emails of its own workspace, see `addSuppression`. */
export const holdsInItsWorkspace = (app: App, suppression: { email: string; workspaceOnly?: boolean }): boolean =>
  app.config.suppressionScope === 'workspace' || isWorkspaceOnly(suppression);
