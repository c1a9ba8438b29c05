import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrol } from '../../src/campaigns/index.ts';
import { importContacts } from '../../src/contacts/import/index.ts';
import { addSuppression, createContact, createList, isSuppressed } from '../../src/contacts/index.ts';
import { raw, sql } from '../../src/db/statement.ts';
import { campaignCounts, markEmails, recordEvents } from '../../src/events/index.ts';
import { backUp } from '../../src/maintenance/backup.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { exportPerson } from '../../src/maintenance/export-person.ts';
import { addressPattern, PERSON_SOURCES } from '../../src/maintenance/person-data.ts';
import { createSealer } from '../../src/secrets/seal.ts';
import { SEALED } from '../../src/secrets/sealed-columns.ts';
import { newSecret } from '../../src/secrets/secret-file.ts';
import { type Cli, cliOf, refuse, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import { workspace } from '../support/people.ts';
import { eventOf, insertAccount, insertCampaign, insertContact, insertEnrolment, insertReply, insertRow } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

const ADDRESS = 'Ada.Lovelace+x@persons.example';
const NAME = 'Augusta Ada King';
const OTHER = `b${ADDRESS}`;

let installation: TestInstallation;
let cli: Cli;
let campaignId: number;
let otherWorkspace: number;
const folder = mkdtempSync(join(tmpdir(), 'outreach-person-'));

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
  otherWorkspace = await workspace(installation.app);
  campaignId = await insertCampaign(installation.app);
  await livesOf(ADDRESS);
  await livesOf(OTHER);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A person of whom every table knows something, in two workspaces. */
async function livesOf(email: string): Promise<void> {
  const { app, caller, clock } = installation;
  const now = clock.now();
  const list = await createList(app, caller, `List of ${email}`);
  const contact = await createContact(app, caller, { email, name: NAME, company: `${NAME} Ltd`, list_ids: [list.id] });
  await insertContact(app, { workspace_id: otherWorkspace, email: email.toUpperCase(), name: NAME, deleted_at: now });
  await insertRow(app, 'pending_enrolments', { campaign_id: campaignId, contact_id: contact.id, list_id: list.id, created_at: now });
  const enrolment = await insertEnrolment(app, campaignId, { contact_id: contact.id, hold_reason: `${NAME} is away` });
  const accountId = await insertAccount(app, { pause_reason: 'provider_error', status: 'paused', pause_message: `550 <${email}> unknown` });
  const [step] = await app.db.query<{ id: number }>(sql`select id from steps where campaign_id = ${campaignId}`);
  const outboxId = await insertRow(app, 'outbox', {
    ...{
      workspace_id: 1,
      campaign_id: campaignId,
      enrolment_id: enrolment.id,
      contact_id: contact.id,
      account_id: accountId,
      step_id: step?.id,
    },
    ...{
      step_order: 1,
      recipient: email,
      state: 'accepted',
      message_id: `<m${contact.id}@example.com>`,
      subject: `Hi ${NAME}`,
      response: `250 ${email}`,
    },
    ...{ claimed_at: now, accepted_at: now },
  });
  const url = `https://example.com/?who%3D${encodeURIComponent(email)}`;
  await app.db.tx((tx) =>
    recordEvents(tx, [eventOf(app, enrolment, 'enrolled'), eventOf(app, enrolment, 'sent'), eventOf(app, enrolment, 'clicked', { url })]),
  );
  await app.db.tx((tx) => markEmails(tx, [{ outboxId, mark: 'machine_opened', at: now }]));
  await insertRow(app, 'tracking_hits', { workspace_id: 1, outbox_id: outboxId, kind: 'clicked', url, ip: '192.0.2.7', at: now });
  await insertRow(app, 'inbound_messages', {
    ...{ workspace_id: 1, account_id: accountId, folder: 'INBOX', uid_validity: 1, uid: contact.id, message_id: `<${email}-1@mail>` },
    ...{
      sender: `${NAME} <${email}>`,
      subject: `Re: Hi ${NAME}`,
      verdict: 'reply',
      enrolment_id: enrolment.id,
      snippet: `I am ${NAME}`,
      created_at: now,
    },
  });
  const replyId = await insertReply(app, enrolment, {
    sender: email,
    sender_name: NAME,
    subject: `Re: Hi ${NAME}`,
    own_text: `I am ${NAME}`,
    full_text: `I am ${NAME}`,
  });
  const answerId = await insertRow(app, 'outbox', {
    ...{
      workspace_id: 1,
      campaign_id: campaignId,
      enrolment_id: enrolment.id,
      contact_id: contact.id,
      account_id: accountId,
      step_order: 1,
    },
    ...{
      reply_id: replyId,
      recipient: email,
      state: 'accepted',
      message_id: `<a${contact.id}@example.com>`,
      claimed_at: now,
      accepted_at: now,
    },
  });
  await app.db.query(sql`
    insert into answers (outbox_id, reply_id, subject, body_html, due_at, created_at, updated_at)
    values (${answerId}, ${replyId}, ${`Re: Hi ${NAME}`}, ${`<p>Dear ${NAME}</p>`}, ${now}, ${now}, ${now})`);
  await app.db.query(sql`insert into sent_copies (outbox_id, message) values (${answerId}, ${Buffer.from(`Dear ${NAME}`)})`);
  await insertRow(app, 'call_tasks', {
    ...{
      workspace_id: 1,
      campaign_id: campaignId,
      enrolment_id: enrolment.id,
      step_id: step?.id,
      due_at: now,
      created_at: now,
      note: `Call ${NAME}`,
    },
  });
  const webhook = await insertRow(app, 'webhooks', {
    workspace_id: 1,
    name: 'w',
    url: 'https://example.com',
    secret: '',
    created_at: now,
    updated_at: now,
  });
  await insertRow(app, 'webhook_deliveries', {
    ...{ webhook_id: webhook, type: 'contact.suppressed', data: JSON.stringify({ email }), next_attempt_at: now, created_at: now },
  });
  await app.db.query(sql`
    insert into shares (workspace_id, resource_type, resource_id, user_id, granted_at) values (1, 'contacts', ${contact.id}, 1, ${now})`);
  const key = `key-${email}`.slice(0, 20);
  const sealed = app.sealer.seal(JSON.stringify({ email }), SEALED.idempotentAnswer.place(1, key));
  await app.db.query(sql`
    insert into idempotency_keys (api_key_id, key, request_hash, status, body, created_at) values (1, ${key}, '', 201, to_jsonb(${sealed}::text), ${now})`);
  await app.db.tx((tx) => addSuppression(tx, app, caller, { email: email.toLowerCase(), reason: `asked by ${email}` }));
}

/** Every row of the database as text: what a dump of it would hold. */
async function dump(): Promise<string> {
  const file = join(folder, `${Math.floor(performance.now())}.backup`);
  await backUp(installation.app, file);
  return zstdDecompressSync(readFileSync(file)).toString('utf8');
}

const stats = () => installation.app.db.query(sql`select * from (${campaignCounts(sql`select ${campaignId}::int`)}) n`);

describe('what is looked through', () => {
  it('holds every table that refers to a contact, an enrolment, a mail or an event', async () => {
    const tables = await installation.app.db.query<{ table: string }>(sql`
      select distinct conrelid::regclass::text as table from pg_constraint
      where contype = 'f' and confrelid in ('contacts'::regclass, 'enrolments'::regclass, 'outbox'::regclass, 'events'::regclass)`);
    expect(tables.length).toBeGreaterThan(5);
    const known = PERSON_SOURCES.map(({ table }) => table);
    for (const { table } of tables) expect(known).toContain(table);
  });

  it.each([
    ['a@b.example', true],
    ['<A@B.example>, x', true],
    ['https://x.example/?q=a%40b.example&r', true],
    ['q%3Da%40b.example', true],
    ['ends with a@b.example.', true],
    ['aa@b.example', false],
    ['x.a@b.example', false],
    ['a@b.example.com', false],
    ['a@b.example-x', false],
    ['a@bxexample', false],
  ])('%s', async (text, found) => {
    const [row] = await installation.app.db.query(sql`select ${text}::text ~* ${addressPattern('a@b.example')} as found`);
    expect(row).toEqual({ found });
  });
});

describe('what is cleared', () => {
  it('is every text of a contact, whatever columns it has', async () => {
    const { app, caller } = installation;
    const email = 'every-column@persons.example';
    const { id } = await createContact(app, caller, { email });
    const columns = await app.db.query<{ name: string; type: string }>(sql`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = 'contacts' and data_type in ('text', 'jsonb') and column_name <> 'email'`);
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['name', 'company', 'custom_fields']));
    for (const { name, type } of columns) {
      const value = type === 'text' ? 'a trace' : JSON.stringify({ note: 'a trace' });
      await app.db.query(sql`update contacts set ${raw(name)} = ${value}::text::${raw(type)} where id = ${id}`);
    }
    await erasePerson(app, caller, email);
    const [row] = await app.db.query<{ row: object }>(sql`select to_jsonb(t) as row from contacts t where id = ${id}`);
    expect(Object.entries(row?.row ?? {}).filter(([, value]) => JSON.stringify(value).includes('a trace'))).toEqual([]);
  });
});

describe('person export', () => {
  it('gives every row of the person in all workspaces, and nothing of another', async () => {
    const { data, workspaces, email } = await exportPerson(installation.app, ADDRESS);
    expect(email).toBe(ADDRESS);
    for (const { table } of PERSON_SOURCES) expect(data[table]?.length, table).toBeGreaterThan(0);
    expect(data.contacts?.map(({ workspace_id: id }) => id)).toEqual([1, otherWorkspace]);
    expect(Object.keys(workspaces)).toEqual(['1', String(otherWorkspace)]);
    expect(data.contacts?.[0]).toMatchObject({ name: NAME, email: ADDRESS });
    expect(JSON.stringify(data)).not.toContain(OTHER);
  });

  it('the command prints it or writes a file that only its owner reads; an unknown address is not found', async () => {
    const file = join(folder, 'ada.json');
    const printed = await succeed(cli, 'person', 'export', ADDRESS.toLowerCase());
    expect(printed.data.contacts).toHaveLength(2);
    expect((await succeed(cli, 'person', 'export', ADDRESS, file)).rows.contacts).toBe(2);
    expect(JSON.parse(readFileSync(file, 'utf8')).data).toEqual(printed.data);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await refuse(cli, 1, 'person', 'export', 'nobody@persons.example')).toContain('nothing is stored about');
    expect(await refuse(cli, 2, 'person', 'export', 'nobody')).toContain('email:');
    expect(await refuse(cli, 2, 'person', 'export', ADDRESS, folder)).toContain("can't be written");
  });
});

describe('person erase', () => {
  it('asks first; without a terminal it needs --yes', async () => {
    expect(await refuse(cli, 1, 'person', 'erase', ADDRESS)).toContain(
      'there is no terminal to ask at, so nothing was erased; pass --yes to agree: Erase everything about',
    );
    expect(await refuse(cli, 1, 'person', 'erase', 'nobody@persons.example', '--yes')).toContain('nothing is stored about');
  });

  it('waits for a mail that is on its way, and writes nothing down afterwards', async () => {
    const { app, caller } = installation;
    await livesOf('midway@persons.example');
    await app.db.query(sql`
      update outbox set state = 'transmitting', worker = 'w', lease_until = now() + interval '1 minute' where recipient = 'midway@persons.example'`);
    let isErased = false;
    const erasing = erasePerson(app, caller, 'midway@persons.example').then(() => {
      isErased = true;
    });
    await waitUntil('the contact is out of the lists', async () => {
      const [contact] = await app.db.query<{ deleted: boolean }>(
        sql`select deleted_at is not null as deleted from contacts where email = 'midway@persons.example'`,
      );
      return contact?.deleted;
    });
    expect(isErased).toBe(false);
    await app.db.query(sql`
      update outbox set state = 'accepted', lease_until = null, response = '250 midway@persons.example' where recipient = 'midway@persons.example'`);
    await erasing;
    expect((await dump()).toLowerCase().includes('midway@persons.example')).toBe(false);
  });

  it('leaves the address and the name nowhere in a dump of the database; statistics and other people stay', async () => {
    const before = await stats();
    // Of a list of addresses it is taken out, and the others stay.
    await installation.app.db.query(sql`update campaigns set cc = array['boss@partner.example', ${ADDRESS}::text]`);
    const erasure = await succeed(cli, 'person', 'erase', ADDRESS, '--yes');
    const lists = await installation.app.db.query<{ cc: string[] }>(sql`select distinct cc from campaigns`);
    expect(lists).toEqual([{ cc: ['boss@partner.example'] }]);
    expect(erasure.kept).toEqual([]);
    expect(erasure.erased).toMatchObject({ contacts: 2, outbox: 2, tracking_hits: 1, suppressions: 1, idempotency_keys: 1, accounts: 1 });
    const text = (await dump()).toLowerCase();
    const [first = '', ...others] = text.split(ADDRESS.toLowerCase());
    // What is left of it is the end of the other person's address.
    expect(others.length).toBeGreaterThan(0);
    for (const part of [first, ...others].slice(0, -1)) expect(part.at(-1)).toBe('b');
    expect(
      text
        .split(encodeURIComponent(ADDRESS).toLowerCase())
        .slice(0, -1)
        .every((part) => part.endsWith('b')),
    ).toBe(true);
    expect(await stats()).toEqual(before);
    expect(await numberFaults(installation.app)).toEqual([]);
    await erasePerson(installation.app, installation.caller, OTHER);
    expect((await dump()).toLowerCase().includes(ADDRESS.toLowerCase())).toBe(false);
    expect((await dump()).includes(NAME)).toBe(false);
    expect(await numberFaults(installation.app)).toEqual([]);
    const domains = await installation.app.db.query(sql`
      select domain from domain_totals where campaign_id = ${campaignId} union select domain from events where campaign_id = ${campaignId}`);
    expect(domains).toEqual([{ domain: 'erased.invalid' }]);
  });

  it('they are never written to again, whatever is imported, and after the secret was replaced', async () => {
    const { app, caller } = installation;
    expect(await isSuppressed(app.db, app, 1, ADDRESS)).toBe(true);
    expect(await isSuppressed(app.db, app, 1, `x${ADDRESS}`)).toBe(false);
    const rotated = { ...app, sealer: createSealer(`${newSecret()},${app.config.secretKey}`) };
    expect(await isSuppressed(app.db, rotated, 1, ADDRESS.toUpperCase())).toBe(true);
    writeFileSync(join(folder, 'again.csv'), `email\n${ADDRESS}\n`);
    expect(await importContacts(app, caller, { path: join(folder, 'again.csv') })).toMatchObject({ imported: 1, suppressed: 1 });
    const [contact] = await app.db.query<{ id: number }>(sql`select id from contacts where email = ${ADDRESS}`);
    await enrol(app, caller, campaignId, { contact_ids: [contact?.id ?? 0] });
    const enrolments = await app.db.query(sql`select status, stop_reason from enrolments where contact_id = ${contact?.id}`);
    expect(enrolments).toEqual([{ status: 'stopped', stop_reason: 'suppressed' }]);
  });

  it('the address of a colleague or of a mailbox of ours stays there, and it says so', async () => {
    await createContact(installation.app, installation.caller, { email: 'admin@example.com' });
    expect(await erasePerson(installation.app, installation.caller, 'admin@example.com')).toMatchObject({ kept: ['users.email'] });
    const [user] = await installation.app.db.query(sql`select email from ${raw('users')} where id = 1`);
    expect(user).toEqual({ email: 'admin@example.com' });
  });
});
