import { domainToUnicode } from 'node:url';
import { audit, type Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { addressOrDomain, cleanAddress } from '../core/email-address.ts';
import { notFound } from '../core/errors.ts';
import type { BulkTx } from '../db/bulk.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { empty, join, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { publish } from '../webhooks/index.ts';
import { contactObject } from './contact-object.ts';
import { isPublicDomain } from './public-domain.ts';

/** An address, or a domain with its subdomains, that is never written to. */
export interface SuppressionRow {
  id: number;
  /** A domain as `@example.com`, in A-labels. */
  email: string;
  reason: string | null;
  created_at: string;
}

const columns: Sql = sql`s.id, s.email, s.reason, ${timestamp('s.created_at')} as created_at`;

/** Lists the workspace's suppressions by id; ids come from an index-only scan first, for large offsets. Index: suppressions_page. */
export async function listSuppressions(
  db: Queryable,
  caller: Caller,
  { q, ...page }: PageRequest & { q?: string | undefined },
): Promise<Page<SuppressionRow>> {
  const text = q === undefined || q === '' ? empty : sql` and strpos(lower(s.email), ${q.toLowerCase()}) > 0`;
  const from = sql`from suppressions s where s.workspace_id = ${caller.workspaceId} and s.removed_at is null${text}`;
  const [data, [count]] = await Promise.all([
    db.query<SuppressionRow>(sql`
      select ${columns} from (select s.id ${from} order by s.id limit ${page.limit} offset ${page.offset}) page
      join suppressions s on s.id = page.id order by s.id`),
    db.query<{ total: number }>(sql`select count(*)::int as total ${from}`),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/**
 * Suppresses an address, or a domain given as `@example.com`, in the caller's transaction. One that is suppressed already keeps its first reason; one that was
 * removed comes back with the new one. A suppression that held in its workspace alone holds everywhere from the first call
 * without `workspaceOnly`. A domain of a mailbox provider holds in its workspace alone: its people have nothing to do with each other.
 * Enrolments of the address are up to the caller.
 */
export async function addSuppression(
  tx: Tx,
  app: App,
  caller: Caller,
  input: { email: string; reason: string | null; workspaceOnly?: boolean; replyId?: number | undefined },
): Promise<SuppressionRow & { isNew: boolean }> {
  const now = app.clock.now();
  const { email } = addressOrDomain(input.email);
  const workspaceOnly = holdsInItsWorkspaceAlone(input);
  const replyIds = input.replyId === undefined ? null : [input.replyId];
  const [added] = await tx.query<SuppressionRow>(sql`
    insert into suppressions as s (workspace_id, email, reason, created_by, created_at, workspace_only, reply_ids)
    values (${caller.workspaceId}, ${email}, ${input.reason}, ${caller.userId}, ${now}, ${workspaceOnly}, ${replyIds}::int[])
    on conflict (workspace_id, mailbox_key(email)) do update set
      email = excluded.email, reason = excluded.reason, created_by = excluded.created_by, created_at = excluded.created_at, removed_at = null,
      workspace_only = excluded.workspace_only, reply_ids = excluded.reply_ids
      where s.removed_at is not null
    returning ${columns}`);
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
    select ${columns} from suppressions s where s.workspace_id = ${caller.workspaceId} and mailbox_key(s.email) = mailbox_key(${email})`);
  if (present === undefined) throw new Error('the suppression was removed while it was added');
  if (!workspaceOnly) await widen(tx, caller, present.id, now);
  await addCause(tx, present.id, replyIds);
  return { ...present, isNew: false };
}

/** Notes another reply that a suppression holds for; without one it holds for good, whatever becomes of replies. */
async function addCause(tx: Tx, id: number, replyIds: readonly number[] | null): Promise<void> {
  await tx.query(sql`
    update suppressions set reply_ids = case when ${replyIds}::int[] is not null then reply_ids || ${replyIds}::int[] end
    where id = ${id} and reply_ids is not null and not coalesce(reply_ids @> ${replyIds}::int[], false)`);
}

/** Takes a reply back that addresses were suppressed for: what nothing else holds for is removed. Index: suppressions_replies. */
export async function withdrawReply(tx: Tx, app: App, caller: Caller, replyId: number): Promise<void> {
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

/** Takes back the suppression that a bounce made, from a time on: it was none. Index: suppressions_address. */
export async function withdrawBounce(tx: Tx, app: App, caller: Caller, email: string, since: Date): Promise<void> {
  const now = app.clock.now();
  const rows = await tx.query<{ id: number }>(sql`
    update suppressions set removed_at = ${now}
    where workspace_id = ${caller.workspaceId} and mailbox_key(email) = mailbox_key(${email}) and reason = 'bounce' and created_at >= ${since} and removed_at is null
    returning id`);
  for (const { id } of rows)
    await audit(tx, caller, now, { action: 'suppression.remove', resourceType: 'suppression', resourceId: id, changes: { email } });
}

/** Has a suppression hold in every workspace; audited when it did not before. */
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
      null::int as account_id, json_build_object('suppression', (select row_to_json(record) from (select ${columns}) record),
        'contact', case when k.id is not null then ${contactObject('k')} end) as data, null::text as reply_body, ${at}::timestamptz as at
    from suppressions s
    left join contacts k on k.workspace_id = s.workspace_id and address_key(k.email) = address_key(s.email) and k.deleted_at is null
    where s.id = ${id}`,
  );
}

/**
 * Removes a suppression of the workspace; enrolments that it stopped stay stopped. Throws `not_found`.
 * @returns true if still nothing may be sent to the address, because of another workspace or an erasure
 */
export async function removeSuppression(app: App, caller: Caller, text: string): Promise<boolean> {
  const now = app.clock.now();
  const cleaned = cleanAddress(text);
  const email = /^\*?@/.test(cleaned) ? addressOrDomain(cleaned).email : cleaned;
  return app.db.tx(async (tx) => {
    const [row] = await tx.query<{ id: number }>(sql`
      update suppressions set removed_at = ${now}
      where workspace_id = ${caller.workspaceId} and mailbox_key(email) = mailbox_key(${email}) and removed_at is null returning id`);
    if (row === undefined) throw notFound('suppression');
    await audit(tx, caller, now, { action: 'suppression.remove', resourceType: 'suppression', resourceId: row.id, changes: { email } });
    return isSuppressed(tx, app, caller.workspaceId, email);
  });
}

function holdsInItsWorkspaceAlone({ email, workspaceOnly = false }: { email: string; workspaceOnly?: boolean }): boolean {
  const { domain } = addressOrDomain(email);
  return workspaceOnly || (domain !== null && isPublicDomain(domain));
}

/** True if a suppression stops only what its own workspace sends, see `addSuppression`. */
export const holdsInItsWorkspace = (app: App, suppression: { email: string; workspaceOnly?: boolean }): boolean =>
  app.config.suppressionScope === 'workspace' || holdsInItsWorkspaceAlone(suppression);

/**
 * Condition: contact `alias` has the suppressed mailbox, by any address of it, or an address in the suppressed domain or a domain below
 * it. Indexes: contacts_email; contacts_text for a domain, which an address has as A-labels or in Unicode.
 */
export function addressedBy(suppressed: string, alias: string): Sql {
  const { email, domain } = addressOrDomain(suppressed);
  const k = raw(alias);
  if (domain === null) return sql`mailbox_key(${k}.email) = mailbox_key(${email})`;
  const mentions = [...new Set([domain, domainToUnicode(domain)])].map(
    (spelling) => sql`lower(${k}.name || ' ' || ${k}.email || ' ' || coalesce(${k}.company, '')) like ${`%${spelling}%`}`,
  );
  return sql`(${join(mentions, ' or ')}) and ${k}.deleted_at is null and ${email} = any(parent_domains(${k}.email))`;
}

/**
 * Condition: nothing may be sent to this address, because it or its domain is suppressed or its person was erased. Indexes:
 * those of `listedCondition`, erased_addresses_pkey.
 */
export const suppressedCondition = (app: App, workspaceId: Sql, email: Sql): Sql =>
  sql`(${listedCondition(app, workspaceId, email)} or ${erasedCondition(app, email)})`;

/**
 * The condition "this address, its domain or a domain above that is on a list of suppressions": in its own workspace, or in any other
 * of the installation, unless the setting `suppressionScope` or the suppression itself limits it to its workspace. An installation
 * without suppressed domains does not even split the address. Indexes: suppressions_everywhere, suppressions_domains.
 */
export const listedCondition = (app: App, workspaceId: Sql, email: Sql): Sql => sql`(${listedAddress(app, workspaceId, email)}
    or ${SUPPRESSES_DOMAINS} and ${listedDomain(app, workspaceId, email)})`;

/**
 * `suppressedCondition` for every row of a large table: its domains, of which there are far fewer than rows, are looked up once each.
 * @param table the name of the table, whose column `email` is asked as `r.email`
 */
export function suppressedAmong(app: App, workspaceId: Sql, table: Sql): Sql {
  const email = raw('r.email');
  return sql`(${listedAddress(app, workspaceId, email)} or ${erasedCondition(app, email)}
    or address_domain(r.email) in (
      select d.domain from (select distinct address_domain(email) as domain from ${table}) d
      where ${SUPPRESSES_DOMAINS} and ${listedDomain(app, workspaceId, raw(`('@' || d.domain)`))}))`;
}

const SUPPRESSES_DOMAINS = sql`exists (select from suppressions d where d.email like '@%' and d.removed_at is null)`;

const listedAddress = (app: App, workspaceId: Sql, email: Sql): Sql => sql`exists (
  select 1 from suppressions sup where mailbox_key(sup.email) = mailbox_key(${email}) and sup.removed_at is null and ${reaches(app, workspaceId)})`;

const listedDomain = (app: App, workspaceId: Sql, email: Sql): Sql => sql`exists (
  select 1 from suppressions sup where mailbox_key(sup.email) = any(parent_domains(${email})) and sup.removed_at is null and ${reaches(app, workspaceId)})`;

/** Condition: suppression `sup` holds in the workspace. */
export function reaches(app: App, workspaceId: Sql): Sql {
  const isOwn = sql`sup.workspace_id = ${workspaceId}`;
  return app.config.suppressionScope === 'workspace' ? isOwn : sql`(not sup.workspace_only or ${isOwn})`;
}

function erasedCondition(app: App, email: Sql): Sql {
  const hashes = erasureKeys(app).map((key) => erasedHash(key, email));
  return sql`exists (select 1 from erased_addresses erased where erased.hash in (${join(hashes)}))`;
}

/** Keys for the hashes of erased addresses, the current one first; every rotation of the secret adds one. */
const erasureKeys = (app: Pick<App, 'sealer'>): Buffer[] => app.sealer.keysFor('erased address');

/** Hash that remains of an erased mailbox. Computed by the database, so that its rules for lower case apply. */
const erasedHash = (key: Buffer, email: Sql): Sql => sql`sha256(${key}::bytea || convert_to(mailbox_key(${email}), 'UTF8'))`;

/** Keeps the hash of the mailbox of an erased address, under the current key, so that it is never emailed again. */
export async function rememberErased(tx: BulkTx, app: App, email: string): Promise<void> {
  const [key] = erasureKeys(app);
  if (key === undefined) throw new Error('no erasure key');
  await tx.query(sql`
    insert into erased_addresses (hash, erased_at) values (${erasedHash(key, sql`${email}::text`)}, ${app.clock.now()})
    on conflict do nothing`);
}

/** True if nothing may be sent from the workspace to the address. */
export async function isSuppressed(db: Queryable, app: App, workspaceId: number, email: string): Promise<boolean> {
  const [row] = await db.query<{ suppressed: boolean }>(
    sql`select ${suppressedCondition(app, sql`${workspaceId}::int`, sql`${email}::text`)} as suppressed`,
  );
  return row?.suppressed ?? false;
}
