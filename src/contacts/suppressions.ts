import { domainToUnicode } from 'node:url';
import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { addressOrDomain } from '../core/email-address.ts';
import type { BulkTx } from '../db/bulk.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { empty, join, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** An address, or a domain with its subdomains, that is never emailed. */
export interface SuppressionRow {
  id: number;
  /** A domain as `@example.com`, in A-labels. */
  email: string;
  reason: string | null;
  created_at: string;
}

/** Columns of a `SuppressionRow`, for a statement that selects from `suppressions s`. */
export const suppressionColumns: Sql = sql`s.id, s.email, s.reason, ${timestamp('s.created_at')} as created_at`;

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
      select ${suppressionColumns} from (select s.id ${from} order by s.id limit ${page.limit} offset ${page.offset}) page
      join suppressions s on s.id = page.id order by s.id`),
    db.query<{ total: number }>(sql`select count(*)::int as total ${from}`),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/**
 * Condition: contact `alias` has the suppressed mailbox, under any of its addresses, or an address in the suppressed domain or a domain
 * below it. Indexes: contacts_email; contacts_text for a domain, which an address has as A-labels or in Unicode.
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
 * Condition: nothing may be sent to this address, because it or its domain is suppressed or its person was erased. Indexes: those of
 * `listedCondition`, erased_addresses_pkey.
 */
export const suppressedCondition = (app: App, workspaceId: Sql, email: Sql): Sql =>
  sql`(${listedCondition(app, workspaceId, email)} or ${erasedCondition(app, email)})`;

/**
 * Condition: this address, its domain or a domain above that is on a suppression list, in its own workspace or in any other of the
 * installation, unless the setting `suppressionScope` or the suppression itself limits it to its workspace. If no domains are suppressed,
 * the address is not even split. Indexes: suppressions_everywhere, suppressions_domains.
 */
export const listedCondition = (app: App, workspaceId: Sql, email: Sql): Sql => sql`(${listedAddress(app, workspaceId, email)}
    or ${SUPPRESSES_DOMAINS} and ${listedDomain(app, workspaceId, email)})`;

/**
 * Condition: `suppressedCondition` for every row of a large table. Looks up each of its domains once, because there are far fewer domains
 * than rows.
 * @param table the name of the table, whose column `email` is read as `r.email`
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
  select 1 from suppressions sup where mailbox_key(sup.email) = mailbox_key(${email}) and sup.removed_at is null and ${appliesIn(app, workspaceId)})`;

const listedDomain = (app: App, workspaceId: Sql, email: Sql): Sql => sql`exists (
  select 1 from suppressions sup where mailbox_key(sup.email) = any(parent_domains(${email})) and sup.removed_at is null and ${appliesIn(app, workspaceId)})`;

/** Condition: suppression `sup` applies in the workspace. */
export function appliesIn(app: App, workspaceId: Sql): Sql {
  const isOwn = sql`sup.workspace_id = ${workspaceId}`;
  return app.config.suppressionScope === 'workspace' ? isOwn : sql`(not sup.workspace_only or ${isOwn})`;
}

function erasedCondition(app: App, email: Sql): Sql {
  const hashes = erasureKeys(app).map((key) => erasedHash(key, email));
  return sql`exists (select 1 from erased_addresses erased where erased.hash in (${join(hashes)}))`;
}

/** Returns the keys for the hashes of erased addresses, the current one first. Every rotation of the secret adds one. */
const erasureKeys = (app: Pick<App, 'sealer'>): Buffer[] => app.sealer.keysFor('erased address');

/** Hash that is kept of an erased mailbox. The database computes it, so that its rules for lower case apply. */
const erasedHash = (key: Buffer, email: Sql): Sql => sql`sha256(${key}::bytea || convert_to(mailbox_key(${email}), 'UTF8'))`;

/** Stores the hash of the mailbox of an erased address, under the current key, so that it is never emailed again. */
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
