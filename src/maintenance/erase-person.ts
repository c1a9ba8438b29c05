import { setTimeout as pause } from 'node:timers/promises';
import { allowAuditChange, audit, type Caller } from '../access/index.ts';
import { forgetSeeds } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { deleteContact } from '../campaigns/index.ts';
import { rememberErased } from '../contacts/index.ts';
import { emailAddress } from '../core/email-address.ts';
import { conflict, OutreachError } from '../core/errors.ts';
import type { BulkTx } from '../db/bulk.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';
import { forgetDomains } from '../events/index.ts';
import { failAnswersTo, isEmailInFlightTo } from '../outbox/index.ts';
import { type Place, SEALED } from '../secrets/sealed-columns.ts';
import { addressPattern, ERASED, ERASED_DOMAIN, findPerson, PERSON_SOURCES, type Person, type PersonSource } from './person-data.ts';
import { textColumns } from './tables.ts';

export interface Erasure {
  /** Rows deleted or cleared, by table. */
  erased: Record<string, number>;
  /** Columns that keep the address because it belongs to a user or an account, for example `users.email`. */
  kept: string[];
}

const TIMEOUT_MILLISECONDS = 60_000;
const CHECK_MILLISECONDS = 200;

/** Columns with addresses of users and accounts. The erasure of a recipient does not change them. */
const KEPT_COLUMNS = ['users.email', 'accounts.email', 'accounts.smtp', 'accounts.imap', 'campaigns.reply_to'];

/**
 * Erases a person in all workspaces (GDPR Art. 17): deletes or clears what identifies them, keeps rows that statistics count, and stores a
 * keyed hash of the address so that they are never emailed again (Art. 17(3)(b), 21(3)). It first deletes their contacts, so that nothing
 * new is sent, then waits for emails in flight, whose outcome would otherwise be recorded later, and then erases everything in one
 * transaction. It can be run again after a crash. Throws `not_found` if nothing is stored, and `conflict` if an email is still in flight
 * after a minute.
 */
export async function erasePerson(app: App, caller: Caller, address: string, signal?: AbortSignal): Promise<Erasure> {
  const email = emailAddress(address);
  await deleteContacts(app, caller, await findPerson(app.db, email));
  await awaitEmailsInFlight(app, await findPerson(app.db, email), signal);
  return app.db.bulk(
    async (tx) => {
      await allowAuditChange(tx, 'erasure');
      const person = await findPerson(tx, email);
      await failAnswersTo(tx, person.contactIds, 'the person was erased', app.clock.now());
      const erasure: Erasure = { erased: {}, kept: await keptColumns(tx, email) };
      await forgetDomains(tx, person.contactIds, ERASED_DOMAIN);
      // Runs before `eraseMentions`, which replaces the addresses that these rows are found by.
      for (const source of PERSON_SOURCES) await count(erasure, source.table, eraseRows(tx, source, person));
      await count(erasure, 'idempotency_keys', eraseStoredResponses(tx, app, email));
      await count(erasure, 'accounts', forgetSeeds(tx, { email }));
      await eraseMentions(tx, email, erasure);
      if (Object.keys(erasure.erased).length === 0) throw new OutreachError('not_found', `nothing is stored about ${email}`);
      await rememberErased(tx, app, email);
      await audit(tx, caller, app.clock.now(), {
        action: 'person.erase',
        resourceType: 'person',
        resourceId: null,
        changes: { ...erasure },
      });
      return erasure;
    },
    { signal },
  );
}

async function count(erasure: Erasure, table: string, rows: Promise<number>): Promise<void> {
  const number = await rows;
  if (number > 0) erasure.erased[table] = (erasure.erased[table] ?? 0) + number;
}

async function deleteContacts(app: App, caller: Caller, { contactIds }: Person): Promise<void> {
  const live = await app.db.query<{ id: number; workspace_id: number }>(
    sql`select id, workspace_id from contacts where id = any(${contactIds}::int[]) and deleted_at is null order by id`,
  );
  for (const { id, workspace_id: workspaceId } of live) await deleteContact(app, { ...caller, workspaceId }, id);
}

/** Waits until no email to the person is in flight. The lease of a dead daemon expires. */
async function awaitEmailsInFlight(app: App, { contactIds }: Person, signal: AbortSignal | undefined): Promise<void> {
  for (let waited = 0; ; waited += CHECK_MILLISECONDS) {
    if (!(await isEmailInFlightTo(app.db, contactIds))) return;
    if (waited >= TIMEOUT_MILLISECONDS)
      throw conflict('an email to this person is being sent; no more will follow, so run the command again in a few minutes');
    await pause(CHECK_MILLISECONDS, undefined, { signal: signal ?? new AbortController().signal }).catch(() => signal?.throwIfAborted());
  }
}

async function eraseRows(tx: BulkTx, { table, of, erase }: PersonSource, person: Person): Promise<number> {
  const statement =
    erase === 'delete'
      ? sql`delete from ${raw(table)} t where ${of(person)}`
      : sql`update ${raw(table)} t set ${erase(person)} where ${of(person)}`;
  return (await tx.client.query(statement.text, statement.values)).rowCount ?? 0;
}

/** Deletes stored API responses that mention the address. They are sealed, so each has to be opened; they are kept for a day. */
async function eraseStoredResponses(tx: BulkTx, app: App, email: string): Promise<number> {
  const rows = await tx.query<{ api_key_id: number; key: string; body: string }>(
    sql`select api_key_id, key, body #>> '{}' as body from idempotency_keys where body is not null`,
  );
  let erased = 0;
  for (const { api_key_id: apiKeyId, key, body } of rows) {
    const response = unsealed(app, body, SEALED.idempotentAnswer.place(apiKeyId, key));
    if (!response.toLowerCase().includes(email.toLowerCase()) || !(await mentions(tx, response, email))) continue;
    await tx.query(sql`delete from idempotency_keys where api_key_id = ${apiKeyId} and key = ${key}`);
    erased++;
  }
  return erased;
}

async function mentions(tx: BulkTx, text: string, email: string): Promise<boolean> {
  const rows = await tx.query(sql`select 1 where ${text}::text ~* ${addressPattern(email)}`);
  return rows.length > 0;
}

function unsealed(app: App, sealed: string, place: Place): string {
  try {
    return app.sealer.open(sealed, place);
  } catch {
    return '';
  }
}

/** Replaces the address in every other text of the database: server errors, notes, the audit log. */
async function eraseMentions(tx: BulkTx, email: string, erasure: Erasure): Promise<void> {
  const pattern = addressPattern(email);
  const tables = Map.groupBy(
    (await textColumns(tx)).filter(({ table, column }) => !KEPT_COLUMNS.includes(`${table}.${column}`)),
    ({ table }) => table,
  );
  for (const [table, columns] of tables) {
    const sets = columns.map(({ column, type }): Sql => {
      const name = raw(`"${column}"`);
      // The address is removed from a list, such as that of copies, and not replaced: a placeholder must not receive email.
      if (type === 'ARRAY')
        return sql`${name} = case when ${name} is not null then array(select item from unnest(${name}) item where item !~* ${pattern}) end`;
      return sql`${name} = regexp_replace(${name}::text, ${pattern}, ${ERASED}, 'gi')::${raw(type)}`;
    });
    const found = columns.map(({ column }) => sql`${raw(`"${column}"`)}::text ~* ${pattern}`);
    const statement = sql`update ${raw(`"${table}"`)} set ${join(sets, ', ')} where ${join(found, ' or ')}`;
    await count(
      erasure,
      table,
      tx.client.query(statement.text, statement.values).then(({ rowCount }) => rowCount ?? 0),
    );
  }
}

async function keptColumns(tx: BulkTx, email: string): Promise<string[]> {
  const kept: string[] = [];
  for (const name of KEPT_COLUMNS) {
    const [table = '', column = ''] = name.split('.');
    const rows = await tx.query(sql`select 1 from ${raw(table)} where ${raw(column)}::text ~* ${addressPattern(email)} limit 1`);
    if (rows.length > 0) kept.push(name);
  }
  return kept;
}
