import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { suppressAddress, suppressAll } from '../../src/campaigns/index.ts';
import { importContacts } from '../../src/contacts/import/index.ts';
import { changeContact, createContact, isSuppressed, removeSuppression, writeContacts } from '../../src/contacts/index.ts';
import { domainOf } from '../../src/core/email-address.ts';
import { sql } from '../../src/db/statement.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { insertContact } from '../support/rows.ts';
import { enrolmentsOf, sendingInstallation, startSender } from '../support/sender.ts';

/** "Suppressed addresses are never emailed", "one address, one mailbox, one person": in any spelling. */

const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;
beforeEach(async () => {
  await app.db.query(sql`delete from suppressions`);
  await app.db.query(sql`update contacts set deleted_at = ${app.clock.now()} where deleted_at is null`);
});

const folder = mkdtempSync(join(tmpdir(), 'outreach-spellings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const imported = (text: string) => {
  const path = join(folder, 'contacts.csv');
  writeFileSync(path, text);
  return importContacts(app, caller, { path });
};

/** An address, and other spellings of its mailbox. */
const SPELLINGS: [string, string][] = [
  ['info@bücher.example', 'info@xn--bcher-kva.example'],
  ['info@xn--bcher-kva.example', 'info@bücher.example'],
  ['ann@example.org', 'Ann+news@Example.org'],
  ['ann+a@example.org', 'ann+b@example.org'],
  ['ann.lee@gmail.com', 'annlee@googlemail.com'],
  ['zoë@example.org', 'ZOE\u0308@example.org'],
  ['ann@example.org', '\u200bann@exam\u00adple.org'],
];

describe('"An opt-out of one holds for all of them"', () => {
  it.each(SPELLINGS)('%s opted out: %s is never emailed', async (optedOut, other) => {
    await suppressAddress(app, caller, { email: optedOut, reason: 'unsubscribed' });
    const { batch, campaignId } = await startSender(installation, sink, { contacts: [{ email: other }] });
    expect(await batch()).toMatchObject({ sent: 0 });
    expect((await enrolmentsOf(installation, campaignId))[0]).toMatchObject({ status: 'stopped', stop_reason: 'suppressed' });
    await removeSuppression(app, caller, other);
    expect(await isSuppressed(app.db, app, 1, optedOut)).toBe(false);
  });

  it.each(SPELLINGS)('%s opts out: what is under way to %s stops', async (optedOut, other) => {
    const { campaignId, batch } = await startSender(installation, sink, { contacts: [{ email: other }] });
    await suppressAddress(app, caller, { email: optedOut, reason: 'unsubscribed' });
    expect((await enrolmentsOf(installation, campaignId))[0]).toMatchObject({ status: 'stopped', stop_reason: 'suppressed' });
    expect(await batch()).toMatchObject({ sent: 0 });
  });

  it('lists a mailbox once, whatever spellings an import of opt-outs has', async () => {
    const rows = ['x@bücher.example', 'X@xn--bcher-kva.example', '\u200ex@b\u00adücher.example', 'x+a@bücher.example'];
    const results = await suppressAll(
      app,
      caller,
      rows.map((email) => ({ email, reason: null })),
    );
    expect(results.filter(({ status }) => status === 'added')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'present')).toHaveLength(3);
  });

  it('an erased person is not emailed in another spelling', async () => {
    await insertContact(app, { email: 'erased+me@bücher.example' });
    await erasePerson(app, caller, 'erased@xn--bcher-kva.example');
    expect(await isSuppressed(app.db, app, 1, 'Erased@BÜCHER.example')).toBe(true);
    expect(await isSuppressed(app.db, app, 1, 'other@bücher.example')).toBe(false);
  });

  it('tells a mailbox from another', async () => {
    await suppressAddress(app, caller, { email: 'ann.lee@example.org', reason: null });
    expect(await isSuppressed(app.db, app, 1, 'annlee@example.org')).toBe(false);
    expect(await isSuppressed(app.db, app, 1, 'ann.lee+x@example.org')).toBe(true);
  });
});

describe('"unique by key in the database"', () => {
  it.each([
    ['one@bücher.example', 'one@xn--bcher-kva.example'],
    ['two@corp.example', 'TWO@ＣＯＲＰ.example'],
    ['three@corp.example', 'thr\u200bee@corp.example\u200e'],
  ])('%s is a contact: %s is the same one', async (email, spelling) => {
    const { id } = await createContact(app, caller, { email });
    await expect(createContact(app, caller, { email: spelling })).rejects.toMatchObject({ code: 'conflict' });
    const other = await createContact(app, caller, { email: `other-${id}@corp.example` });
    await expect(changeContact(app, caller, other.id, { email: spelling })).rejects.toMatchObject({ code: 'conflict' });
    const [written] = await writeContacts(app, caller, [{ email: spelling, name: 'Ann' }], true);
    expect(written).toMatchObject({ status: 'updated', id });
    expect(await imported(`email\n${spelling}\n`)).toMatchObject({ imported: 0, updated: 0 });
    const [row] = await app.db.query(sql`select email from contacts where id = ${id}`);
    expect(row).toEqual({ email });
  });

  it('two spellings in one file are one row', async () => {
    expect(await imported('email\nfour@bücher.example\nFOUR@xn--bcher-kva.example\n')).toMatchObject({ imported: 1 });
  });
});

it('"Shown as typed": only spaces and invisible characters go', async () => {
  expect((await createContact(app, caller, { email: ' Five\u200b@XN--bcher-KVA.example ' })).email).toBe('Five@XN--bcher-KVA.example');
  expect(domainOf('x@BÜCHER.example')).toBe('xn--bcher-kva.example');
});
