import { describe, expect, it } from 'vitest';
import { changeRecord, createRecord, lockRecord, operator, type RecordKind, saveRecord, scopedRecord } from '../../src/access/index.ts';
import type { Account } from '../../src/accounts/index.ts';
import { createCampaign } from '../../src/campaigns/index.ts';
import { type Contact, createContact } from '../../src/contacts/index.ts';
import { notFound } from '../../src/core/errors.ts';
import { raw, sql } from '../../src/db/statement.ts';
import { entities } from '../../src/main/entities.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount, insertRow } from '../support/rows.ts';

const { app, clock, caller } = await testInstallation();
const CONTACT = scopedRecord<Contact>('Contact', 'contacts');

let made = 0;
const contact = async () => (await createContact(app, caller, { email: `c${++made}@example.org`, custom_fields: {} })).id;
const entriesOf = (id: number) =>
  app.db.query(
    sql`select action, resource_type, changes from audit_log where resource_id = ${id} and action <> 'contact.create' order by id`,
  );
const rowOf = async (id: number) => (await app.db.query(sql`select * from contacts where id = ${id}`))[0];

describe('a change of a record', () => {
  it('is saved, stamped and audited with what differed, and told to who asked', async () => {
    const id = await contact();
    clock.advance(60_000);
    const changes = await app.db.tx((tx) =>
      changeRecord(tx, app, caller, CONTACT, id, { verb: 'update', patch: { name: 'Ada', company: null, email: undefined } }),
    );
    expect(changes).toEqual({ name: ['', 'Ada'] });
    expect(await rowOf(id)).toMatchObject({ name: 'Ada', updated_at: clock.now() });
    expect(await entriesOf(id)).toEqual([{ action: 'contact.update', resource_type: 'contact', changes: { name: ['', 'Ada'] } }]);
  });

  it('that changes nothing writes nothing', async () => {
    const id = await contact();
    const before = await rowOf(id);
    clock.advance(60_000);
    const patch = { name: '', custom_fields: {}, is_archived: false };
    expect(await app.db.tx((tx) => changeRecord(tx, app, caller, CONTACT, id, { verb: 'update', patch }))).toBeUndefined();
    expect(await rowOf(id)).toEqual(before);
    expect(await entriesOf(id)).toEqual([]);
  });

  it('may depend on the record as it is under the lock, and say something else in the audit entry', async () => {
    const id = await contact();
    await app.db.tx((tx) =>
      changeRecord(tx, app, caller, CONTACT, id, {
        verb: 'rename',
        patch: ({ email }) => ({ name: email }),
        audited: ({ name }) => ({ to: name }),
      }),
    );
    const { email } = (await rowOf(id)) ?? {};
    expect(await entriesOf(id)).toMatchObject([{ action: 'contact.rename', changes: { to: email } }]);
  });

  it('shows no secret', async () => {
    const id = await insertAccount(app);
    const kind: RecordKind<Account> = { ...scopedRecord<Account>('Account', 'accounts'), unaudited: ['smtp_secret'] };
    const patch = { smtp_secret: 'another', from_name: 'Ada' };
    await app.db.tx((tx) => changeRecord(tx, app, caller, kind, id, { verb: 'update', patch }));
    const [entry] = await app.db.query(sql`select changes from audit_log where resource_type = 'account' and resource_id = ${id}`);
    expect(entry).toEqual({ changes: { from_name: ['', 'Ada'] } });
  });

  it('is refused with not_found for a record that the caller can not see, and for one that is not there', async () => {
    const id = await contact();
    const rename = (who: typeof caller, which: number) =>
      app.db.tx((tx) => changeRecord(tx, app, who, CONTACT, which, { verb: 'update', patch: { name: 'X' } }));
    await expect(rename(operator(2), id)).rejects.toThrow(notFound('contact').message);
    await expect(rename(caller, 999_999)).rejects.toThrow(notFound('contact').message);
  });

  it('waits for another of the same record and builds on it', async () => {
    const id = await contact();
    const add = () =>
      app.db.tx((tx) => changeRecord(tx, app, caller, CONTACT, id, { verb: 'update', patch: ({ name }) => ({ name: `${name}x` }) }));
    await Promise.all(Array.from({ length: 5 }, add));
    expect(await rowOf(id)).toMatchObject({ name: 'xxxxx' });
  });

  it('may follow another in one transaction', async () => {
    const id = await contact();
    await app.db.tx(async (tx) => {
      await changeRecord(tx, app, caller, CONTACT, id, { verb: 'update', patch: { name: 'first' } });
      const locked = await lockRecord(tx, caller, CONTACT, id);
      expect(locked.name).toBe('first');
      await tx.query(sql`update contacts set company = 'by statement' where id = ${id}`);
      const again = await lockRecord(tx, caller, CONTACT, id);
      expect(again.company).toBe('by statement');
      expect(await saveRecord(tx, app, caller, CONTACT, again, { verb: 'update', patch: { name: 'second' } })).toEqual({
        name: ['first', 'second'],
      });
    });
    expect(await rowOf(id)).toMatchObject({ name: 'second', company: 'by statement' });
  });
});

it('a new record has its id at once, and its entry names it', async () => {
  const now = app.clock.now();
  const data = { workspace_id: 1, email: 'new@example.org', custom_fields: {}, created_at: now, updated_at: now };
  const record = await app.db.tx((tx) => createRecord(tx, app, caller, CONTACT, data, { audited: { email: data.email } }));
  expect(await rowOf(record.id)).toMatchObject({ email: 'new@example.org', name: '', is_shared_to_all: true });
  const [entry] = await app.db.query(
    sql`select action, changes from audit_log where resource_type = 'contact' and resource_id = ${record.id}`,
  );
  expect(entry).toEqual({ action: 'contact.create', changes: { email: 'new@example.org' } });
});

/** Fears an upgrade of MikroORM after which `em.map` takes what was just read for a change. */
describe('a locked record that nobody changes is not written', async () => {
  const now = app.clock.now();
  const accountId = await insertAccount(app, { imap: '{"host":"h"}', ramp_start: 5, ramp_started_on: '2026-07-07', paused_at: now });
  await contact();
  const { id: campaignId } = await createCampaign(app, caller, { name: 'C', account_id: accountId, sending_days: [1, 3] });
  await insertRow(app, 'steps', { campaign_id: campaignId, step_order: 1, body_html: 'B', created_at: now, updated_at: now });
  const named = { workspace_id: 1, name: 'N', created_at: now };
  await insertRow(app, 'lists', named);
  await insertRow(app, 'templates', { ...named, type: 'template', body_html: 'B', updated_at: now });
  await insertRow(app, 'custom_fields', { ...named, key: 'n', field_type: 'text' });
  await createWebhook(app, caller, { url: 'https://example.org/', types: ['event.sent'], campaign_ids: [campaignId] });

  it.each(entities.map((entity) => [entity.meta.tableName, entity] as const))('%s', async (table, entity) => {
    const version = () => app.db.query(sql`select xmin::text, ctid::text from ${raw(table)} order by id limit 1`);
    const before = await version();
    const [{ id = 0 } = {}] = await app.db.query<{ id: number }>(sql`select id from ${raw(table)} order by id limit 1`);
    const kind = {
      entity: entity.meta.className,
      resourceType: table,
      missing: () => notFound(table),
      visible: () => sql`true`,
    } as RecordKind<{ id: number }>;
    await app.db.tx(async (tx) => {
      await lockRecord(tx, caller, kind, id);
      // Taking the lock marks the row's version, so what counts is that there is no new one.
      await tx.query(sql`select 1`);
    });
    expect((await version()).map(({ ctid }) => ctid)).toEqual(before.map(({ ctid }) => ctid));
  });
});
