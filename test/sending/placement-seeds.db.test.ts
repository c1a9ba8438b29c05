import { createServer, type Server } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import { checkedSeeds, requireOpenSeeds } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import { deleteAccount } from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { checkPlacement } from '../../src/health/placement-check.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { findAllPlacements, findPlacements, repeatPlacements, startPlacement } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { afterFile } from '../support/after-file.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { startGreedyImap } from '../support/greedy-imap.ts';
import { freePort, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { mailboxAccount, PASSWORD } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';
import { type Sender, startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

/** A seed is a mailbox without an account here. Its password is for one test, and stored encrypted until its email is found or given up. */

const LINKS = { decorate: decorateEmail, linkOf };
const [INBOXED, JUNKED, CONNECTED] = ['ann@seeds.test', 'bob@seeds.test', 'cyd@here.test'];
let installation: TestInstallation;
let app: App;
let sink: SmtpSink;
let server: ImapServer;
let silent: Server;
let sender: Sender;
let connected: number;

beforeAll(async () => {
  installation = await testInstallation({ baseUrl: 'https://links.example.com' });
  ({ app } = installation);
  sink = await startSmtpSink({ users: { me: 'secret' } });
  server = await startImapServer({ users: Object.fromEntries([INBOXED, JUNKED, CONNECTED].map((user) => [user, PASSWORD])) });
  silent = createServer().listen(0, '127.0.0.1');
  afterFile(() => Promise.all([sink.close(), server.close(), silent.close()]));
  connected = await mailboxAccount(app, server.port, CONNECTED);
});
beforeEach(async () => {
  sink.messages.length = 0;
  sender = await startSender(installation, sink, { steps: [{ subject: 'A limited offer' }] });
});

const url = (user: string, port = server.port, host = '127.0.0.1') => `imap://${encodeURIComponent(user)}@${host}:${port}`;
const seed = (user: string, imap_password = PASSWORD, port?: number) => ({ imap_url: url(user, port), imap_password });
const start = (seeds: readonly { imap_url: string; imap_password: string }[], to: number[] = [], caller = installation.caller) =>
  startPlacement(app, caller, sender.accountId, { to, seeds }, LINKS);
const find = async () => (await findPlacements(app, installation.caller, sender.accountId))[0]?.results ?? [];
const places = async () => (await find()).map(({ account_id, email, place }) => [account_id, email, place]);
const kept = async () => (await rowOf<{ placement_secret: string | null }>(app, 'accounts', sender.accountId)).placement_secret;

/** Delivers the sent emails, to Junk for users who filter them. */
async function deliver(...users: string[]): Promise<void> {
  for (const { to, raw } of sink.messages.splice(0)) {
    const [user = ''] = [to].flat();
    if (users.includes(user)) await server.append(user, user === JUNKED ? 'Junk' : 'INBOX', raw);
  }
}

describe('seeds of a placement test', () => {
  it('are looked into beside connected mailboxes; the access is kept sealed, and only while an email is looked for', async () => {
    const test = await start([seed(INBOXED), seed(JUNKED)], [connected]);
    expect(sink.messages.map(({ to }) => [to].flat()[0])).toEqual([CONNECTED, INBOXED, JUNKED]);
    expect(await kept()).toMatch(/^v1:/);
    const everything = await app.db.query<{ text: string }>(sql`
      select to_jsonb(a)::text as text from accounts a where id = ${sender.accountId}
      union all select to_jsonb(l)::text from audit_log l union all select to_jsonb(e)::text from events e`);
    for (const text of [JSON.stringify(test), ...everything.map(({ text }) => text)]) expect(text).not.toContain(PASSWORD);
    await deliver(INBOXED, JUNKED, CONNECTED);
    expect(await places()).toEqual([
      [connected, CONNECTED, 'inbox'],
      [null, INBOXED, 'inbox'],
      [null, JUNKED, 'junk'],
    ]);
    expect(await kept()).toBeNull();
  });

  it('are given up after 15 minutes, by the daemon, also for an account that was archived meanwhile', async () => {
    await start([seed(INBOXED), seed(JUNKED)]);
    await deliver(INBOXED);
    await app.db.query(sql`update accounts set is_archived = true where id = ${sender.accountId}`);
    await findAllPlacements(app);
    expect(await kept()).not.toBeNull();
    installation.clock.advance(16 * MINUTE);
    await findAllPlacements(app);
    expect(await kept()).toBeNull();
    expect(await places()).toEqual([
      [null, INBOXED, 'inbox'],
      [null, JUNKED, 'missing'],
    ]);
  });

  it.each<[string, () => Parameters<typeof start>[0], RegExp]>([
    ['a wrong password', () => [seed(INBOXED), seed(JUNKED, 'not this one')], /nothing was sent: .*refused the login of bob@seeds\.test/],
    [
      'a password in the URL',
      () => [{ ...seed(INBOXED), imap_url: 'imaps://a%40b.test:hush@mail.test' }],
      /leave the password out of the URL$/,
    ],
    [
      'a user that is no address',
      () => [{ ...seed(INBOXED), imap_url: 'imaps://ann@mail.test' }],
      /the user must be the address of the mailbox/,
    ],
    ['another protocol', () => [{ ...seed(INBOXED), imap_url: 'https://a%40b.test@mail.test' }], /must start with imap/],
  ])('with %s nothing is sent, and nothing kept', async (_, seeds, message) => {
    const refusal = await start(seeds()).catch((error: Error) => error.message);
    expect(refusal).toMatch(message);
    expect(refusal).not.toMatch(/not this one|hush/);
    expect([sink.messages, await kept()]).toEqual([[], null]);
  });

  it('on a host that does not answer, or refuses, are no seeds', async () => {
    const open = (port: number) =>
      checkedSeeds(app, installation.caller, [seed(INBOXED, PASSWORD, port)]).then((seeds) => requireOpenSeeds(app, seeds, 1));
    await expect(open((silent.address() as { port: number }).port)).rejects.toThrow(/nothing was sent: .*127\.0\.0\.1/);
    await expect(open(await freePort())).rejects.toThrow(/nothing was sent: .*127\.0\.0\.1/);
  });

  it('in a private network are for who runs the installation, and those without TLS for admins, as with an account', async () => {
    const caller: Caller = { ...installation.caller, actor: 'user', isInstallAdmin: false };
    await expect(start([seed(INBOXED)], [], caller)).rejects.toThrow('seeds[0].imap_url: 127.0.0.1 is not on the public internet');
    const manager: Caller = { ...caller, role: 'manager' };
    const plain = { imap_url: `${url(INBOXED, 143, '8.8.8.8')}?tls=off`, imap_password: PASSWORD };
    await expect(start([plain], [], manager)).rejects.toThrow('only an admin may connect to a server without TLS');
    expect(sink.messages).toEqual([]);
  });

  it('an email that nobody could look for is no fault of its sender, and a server that repeats the password spreads it nowhere', async () => {
    let isLetIn = true;
    const echo = await startGreedyImap((command, tag, say, line) => {
      if (command !== 'LOGIN' || isLetIn) return false;
      say(`${tag} NO [AUTHENTICATIONFAILED] bad: ${line}\r\n`);
      return true;
    });
    try {
      await start([seed(INBOXED, PASSWORD, echo.port)]);
      isLetIn = false;
      installation.clock.advance(16 * MINUTE);
      const [result] = await find();
      expect(result).toMatchObject({ place: 'missing', problem: expect.stringContaining('***') });
      expect(JSON.stringify(result)).not.toContain(PASSWORD);
      const { placements } = await rowOf<{ placements: Parameters<typeof checkPlacement>[1] }>(app, 'accounts', sender.accountId);
      expect(checkPlacement('zoe@example.com', placements, app.clock.now())).toMatchObject({ state: 'unknown' });
    } finally {
      await echo.close();
    }
  });

  it('are not asked again by a weekly test, which goes to connected mailboxes', async () => {
    await app.db.query(sql`update accounts set placement_weekly = true where id = ${sender.accountId}`);
    await start([seed(INBOXED)], [connected]);
    await start([seed(INBOXED)]);
    sink.messages.length = 0;
    installation.clock.advance(8 * DAY);
    await repeatPlacements(app, LINKS);
    expect(sink.messages.map(({ to }) => [to].flat()[0])).toEqual([CONNECTED]);
  });

  it('are forgotten with their account, and with the person whose address they have', async () => {
    await start([seed(INBOXED)]);
    expect((await erasePerson(app, installation.caller, INBOXED.toUpperCase())).erased.accounts).toBeGreaterThan(0);
    const { placements } = await rowOf<{ placements: unknown }>(app, 'accounts', sender.accountId);
    expect([await kept(), JSON.stringify(placements).includes(INBOXED)]).toEqual([null, false]);
    await start([seed(JUNKED)]);
    await deleteAccount(app, installation.caller, sender.accountId);
    expect(await kept()).toBeNull();
  });

  it('can’t test the mailbox of the sender itself', async () => {
    const { email } = await rowOf<{ email: string }>(app, 'accounts', sender.accountId);
    const own = await startGreedyImap(() => false);
    try {
      await expect(start([seed(email, PASSWORD, own.port)])).rejects.toThrow("an account can't test its own mailbox");
    } finally {
      await own.close();
    }
  });
});
