import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAccountDetails, setAccount } from '../../src/accounts/index.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { roomFor } from '../../src/core/room.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { dueCopies, fileSentCopies, recoverOutbox, resolveOutbox } from '../../src/sending/index.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { afterFile } from '../support/after-file.ts';
import { TEST_START } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { repliedContact } from '../support/replied-contact.ts';
import { giveMailbox, nextSenders, startMailServers } from '../support/sender.ts';
import { servedInstallation } from '../support/served.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: Awaited<ReturnType<typeof servedInstallation>>;
let imap: ImapServer;
let sink: SmtpSink;
/** Of the account with which each test begins anew. */
let contact: Awaited<ReturnType<typeof replied>>;

beforeAll(async () => {
  installation = await servedInstallation();
  ({ imap, sink } = await startMailServers());
  contact = await replied();
});
beforeEach(async () => {
  installation.clock.set(TEST_START);
  sink.behave();
  sink.messages.length = 0;
  await contact.forget();
});

/** Somebody who has replied, with what their account has in its Sent folder, and what it remembers. */
async function replied(server = imap) {
  const { app, caller } = installation;
  const it = await repliedContact({ installation, imap: server, sink });
  return {
    ...it,
    sendOne: async () => {
      await it.answer();
      expect(await it.send()).toBe(1);
    },
    file: () => fileSentCopies(app, it.accountId),
    isDue: async () => (await dueCopies(app, roomFor(200))).some(({ id }) => id === it.accountId),
    copies: (folder = 'Sent') => server.messages(it.mailbox, folder),
    account: () => getAccountDetails(app.db, caller, it.accountId),
    kept: () => app.db.query(sql`select s.due_at from sent_copies s`),
    /** As a new account is, with an empty folder. */
    forget: async () => {
      await giveMailbox(installation, it.accountId, server.port);
      await server.deleteFolder(it.mailbox, 'Sent');
      await server.createFolder(it.mailbox, 'Sent');
      await app.db.query(sql`update accounts set server_files_sent = null, sent_copy = 'auto', sent_copy_error = null`);
      await app.db.query(sql`delete from sent_copies`);
    },
  };
}

describe('the copy of an answer in the Sent folder', () => {
  it('is the answer as it was sent, marked as read, where the server files none; the next one follows at once', async () => {
    const it = contact;
    await it.sendOne();
    expect(await it.isDue()).toBe(false);
    installation.clock.advance(MINUTE);
    expect(await it.isDue()).toBe(true);
    expect(await it.file()).toBe(1);
    const [copy] = await it.copies();
    expect(copy?.raw.toString().trimEnd()).toBe(sink.messages[0]?.raw.toString().trimEnd());
    expect([...(copy?.flags ?? [])]).toContain('\\Seen');
    expect(await it.account()).toMatchObject({ sent_copy: 'auto', server_files_sent: false, sent_copy_error: null });
    expect(await it.kept()).toEqual([]);

    await it.sendOne();
    expect(await it.isDue()).toBe(true);
    expect([await it.file(), await it.file()]).toEqual([1, 0]);
    expect(await it.copies()).toHaveLength(2);
  });

  it('is left to a server that files it, which is found out with the first answer and remembered', async () => {
    const it = contact;
    await it.sendOne();
    await imap.append(it.mailbox, 'Sent', sink.messages[0]?.raw ?? '', ['\\Seen']);
    installation.clock.advance(MINUTE);
    expect(await it.file()).toBe(0);
    expect(await it.copies()).toHaveLength(1);
    expect(await it.account()).toMatchObject({ server_files_sent: true });
    await it.sendOne();
    expect(await it.kept()).toEqual([]);
  });

  it('is filed always, or never, where a person says so', async () => {
    const { app, caller } = installation;
    const it = contact;
    await setAccount(app, caller, it.accountId, { sent_copy: 'never' });
    await it.sendOne();
    expect(await it.kept()).toEqual([]);
    await app.db.query(sql`update accounts set server_files_sent = true where id = ${it.accountId}`);
    await setAccount(app, caller, it.accountId, { sent_copy: 'append' });
    await it.sendOne();
    expect(await it.file()).toBe(1);
    expect(await it.copies()).toHaveLength(1);
  });

  it('is never there twice: not after a try that ended between APPEND and its record, nor from two daemons', async () => {
    const { app, clock } = installation;
    const it = contact;
    await it.sendOne();
    clock.advance(MINUTE);
    // As a kill after the APPEND leaves it.
    await imap.append(it.mailbox, 'Sent', sink.messages[0]?.raw ?? '', ['\\Seen']);
    await app.db.query(sql`update sent_copies s set begun_at = now(), tries = 1, lease_until = now() + interval '1 minute'
      from outbox o where o.id = s.outbox_id and o.account_id = ${it.accountId}`);
    expect(await it.file()).toBe(0);
    await app.db.query(sql`update sent_copies set lease_until = now() - interval '1 second'`);
    expect(await it.file()).toBe(0);
    expect(await it.copies()).toHaveLength(1);
    expect(await it.kept()).toEqual([]);
    expect(await it.account()).toMatchObject({ server_files_sent: null });

    await it.sendOne();
    clock.advance(MINUTE);
    const filed = await Promise.all([it.file(), it.file(), it.file()]);
    expect(filed.reduce((sum, count) => sum + count)).toBe(1);
    expect(await it.copies()).toHaveLength(2);
  });

  it('that can’t be filed changes nothing about the answer: it is tried again, and after a day given up, with the reason', async () => {
    const { clock } = installation;
    const it = contact;
    await giveMailbox(installation, it.accountId, 1);
    await it.sendOne();
    clock.advance(MINUTE);
    expect(await it.file()).toBe(0);
    expect((await it.read()).thread.at(-1)).toMatchObject({ type: 'answer', state: 'sent' });
    expect(await it.account()).toMatchObject({ sent_copy_error: expect.stringMatching(/ECONNREFUSED|connect/i), server_files_sent: null });
    expect(await it.isDue()).toBe(false);
    await giveMailbox(installation, it.accountId, imap.port);
    clock.advance(15 * MINUTE);
    expect(await it.file()).toBe(1);
    expect(await it.account()).toMatchObject({ sent_copy_error: null });

    await it.sendOne();
    await giveMailbox(installation, it.accountId, 1);
    for (const wait of [0, MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, DAY]) {
      clock.advance(wait);
      expect(await it.file()).toBe(0);
    }
    expect(await it.kept()).toEqual([]);
    expect(await it.account()).toMatchObject({ sent_copy_error: expect.any(String) });
  });

  it('of an answer whose delivery was uncertain is filed once a person or a proof settles that, and of one that failed never', async () => {
    const { app, caller } = installation;
    const it = contact;
    sink.misbehave('data', 'drop', { times: 1 });
    await it.answer();
    expect(await it.send()).toBe(0);
    await recoverOutbox(app, { wasFetched, wasAnswered });
    expect(await it.kept()).toEqual([{ due_at: null }]);
    await resolveOutbox(app, caller, (await it.answers()).at(-1)?.id ?? 0, 'sent');
    expect(await it.file()).toBe(1);
    expect(await it.copies()).toHaveLength(1);

    sink.misbehave('rcpt', { code: 550, text: '5.1.1 no such user' }, { times: 1 });
    await it.answer();
    expect(await it.send()).toBe(0);
    expect(await it.kept()).toEqual([]);
  });

  it('goes into the folder that has a usual name where the server marks none, and into a new one where there is none', async () => {
    // With tokens it is hoodiecrow, which marks no folder that is made later.
    const server = await startImapServer({ users: nextSenders(), tokens: {} });
    afterFile(() => server.close());
    const it = await replied(server);
    await server.deleteFolder(it.mailbox, 'Sent');
    await server.createFolder(it.mailbox, 'Gesendete Objekte');
    await it.sendOne();
    installation.clock.advance(MINUTE);
    expect(await it.file()).toBe(1);
    expect(await it.copies('Gesendete Objekte')).toHaveLength(1);
    await server.deleteFolder(it.mailbox, 'Gesendete Objekte');
    await it.sendOne();
    expect(await it.file()).toBe(1);
    expect(await it.copies()).toHaveLength(1);
  });

  it('takes a mailbox: without IMAP nothing is kept, and append is refused with what to do', async () => {
    const { app, caller } = installation;
    const it = contact;
    await app.db.query(sql`update accounts set imap = null, imap_secret = null where id = ${it.accountId}`);
    await it.sendOne();
    expect(await it.kept()).toEqual([]);
    await expect(setAccount(app, caller, it.accountId, { sent_copy: 'append' })).rejects.toThrow(/^sent_copy: append needs .* --imap-url/);
    await expect(setAccount(app, caller, it.accountId, { sent_copy: 'maybe' as 'auto' })).rejects.toThrow(/^sent_copy: must be/);
  });
});
