import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { activateCampaign } from '../../src/campaigns/index.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { listOutbox } from '../../src/outbox/index.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { processCliOf, refuse, succeed } from '../support/cli.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce } from '../support/inbound-mail.ts';
import { emailKey, judge, readLedger } from '../support/ledger.ts';
import { makeNextVersion, type NextVersion } from '../support/next-version.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Three daemons of this version are killed, then all are replaced, and then one of the next version is killed. */
const ROUNDS = 5;
/** As many as begin in a round, or a few more: a daemon that is to be killed must have taken one. */
const CAMPAIGNS_A_ROUND = 12;
const EMAILS_A_CAMPAIGN = 50;
const CAMPAIGNS = ROUNDS * CAMPAIGNS_A_ROUND;
const EMAILS = CAMPAIGNS * EMAILS_A_CAMPAIGN;
const PASSWORD = 'secret';

const installation = await testInstallation();
const { app, caller, dataDir, databaseUrl } = installation;
const seed = Number(process.env.ROLLING_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(seed);
/** Those that run, by the name of their data directory. All have the host name of this machine. */
const daemons = new Map<string, DaemonProcess>();
/** A campaign, and the recipient whose email the server takes and answers when it is told to. */
interface Campaign {
  id: number;
  held: string;
}

const waiting: Campaign[] = [];
const begun: Campaign[] = [];
/** How many had begun before the present round. */
let before = 0;
/** Recipients whose email may end as unknown: what killed daemons had in flight, and what the server was slow to answer in a drain. */
const atRisk = new Set<string>();
/** Those of them for whose email a proof came that it was sent: a copy in the Sent folder, or a bounce. */
const proved: { filed: string[]; bounced: string[] } = { filed: [], bounced: [] };
let kills = 0;
let next: NextVersion;
let smtp: SmtpSink;
let imap: ImapServer;
let startedAt: number;

beforeAll(async () => {
  next = makeNextVersion(join(dataDir, 'next'));
  smtp = await startSmtpSink({ users: { me: PASSWORD } });
  const names = Array.from({ length: CAMPAIGNS }, (_, index) => `c${index}`);
  imap = await startImapServer({ users: Object.fromEntries(names.map((name) => [addressOf(name), PASSWORD])) });
  for (const [index, name] of names.entries()) waiting.push(await prepareCampaign(name, index % 2 === 0));
  startedAt = performance.now();
});

afterAll(async () => {
  for (const { child } of daemons.values()) child.kill('SIGCONT');
  await Promise.all([...daemons.values()].map((daemon) => daemon.end('SIGTERM')));
  await smtp?.close();
  await imap?.close();
});

const addressOf = (name: string) => `${name}@example.com`;

/** Makes a campaign with an account of its own; its emails are one batch. */
async function prepareCampaign(name: string, hasMailbox: boolean): Promise<Campaign> {
  const email = addressOf(name);
  const account = await connectBulkAccount(app, caller, {
    ...{ email, password: PASSWORD, batch: EMAILS_A_CAMPAIGN, smtpUrl: `smtp://me@127.0.0.1:${smtp.port}` },
    ...(hasMailbox ? { imapUrl: `imap://${encodeURIComponent(email)}@127.0.0.1:${imap.port}` } : {}),
  });
  const id = await bulkCampaign(app, caller, name, account, EMAILS_A_CAMPAIGN);
  return { id, held: `${name}-${random.integer(10, 30)}@example.org` };
}

/** Starts a daemon, of this version unless another program is given. */
async function start(name: string, program?: string, ...words: string[]): Promise<DaemonProcess> {
  const place = {
    databaseUrl,
    home: join(dataDir, name),
    env: { OUTREACH_POLL_INTERVAL_SECONDS: '10', OUTREACH_IDLE_CONNECTIONS: '0' },
    words,
  };
  const daemon = await startDaemonProcess({ ...place, ...(program === undefined ? {} : { program }) }, 90);
  daemons.set(name, daemon);
  return daemon;
}

function running(name: string): DaemonProcess {
  const daemon = daemons.get(name);
  if (daemon === undefined) throw new Error(`daemon ${name} does not run`);
  return daemon;
}

const cliOf = (name: string, program?: string) => processCliOf({ dataDir: join(dataDir, name), databaseUrl }, program);

/** An email that a daemon has claimed or is transmitting. */
interface InFlight {
  recipient: string;
  messageId: string;
  /** The user of the account's mailbox; null without one. */
  mailbox: string | null;
  state: string;
}

const inFlightAt = ({ pid }: DaemonProcess) =>
  app.db.query<InFlight>(sql`
    select o.recipient, o.message_id as "messageId", case when a.imap is not null then a.email end as mailbox, o.state
    from outbox o join daemons d on d.worker = o.worker join accounts a on a.id = o.account_id
    where o.state in ('claimed', 'transmitting') and d.pid = ${pid} order by o.id`);

const taken = (recipient: string) => smtp.messages.find(({ to }) => to[0] === recipient);

/** The recipients whose email the server has taken from this daemon, which waits for the answer. */
async function heldAt(daemon: DaemonProcess): Promise<string[]> {
  const emails = (await inFlightAt(daemon)).filter(({ state }) => state === 'transmitting').map(({ recipient }) => recipient);
  return emails.filter((recipient) => begun.some(({ held }) => held === recipient) && taken(recipient) !== undefined);
}

async function begin(count: number): Promise<void> {
  for (const campaign of waiting.splice(0, count)) {
    begun.push(campaign);
    await activateCampaign(app, caller, campaign.id, null);
    await pause(random.integer(0, 100));
  }
}

/** Begins half of a round, and then more when others have taken those, until each of these daemons waits for an answer. */
async function sendUntilHeld(...those: DaemonProcess[]): Promise<void> {
  for (const { held } of [...begun, ...waiting]) smtp.misbehave('data', 'hold', { to: held, times: 1 });
  before = begun.length;
  await begin(CAMPAIGNS_A_ROUND / 2);
  let lastBegun = performance.now();
  await waitUntil(
    'each of the daemons waits for an answer',
    async () => {
      const waits = await Promise.all(those.map(heldAt));
      if (waits.every((recipients) => recipients.length > 0)) return true;
      // One whose email was in flight at a kill may never be taken.
      const isLong = performance.now() - lastBegun > 30_000;
      if (!isLong && begun.some(({ held }) => taken(held) === undefined)) return false;
      await begin(1);
      lastBegun = performance.now();
      return false;
    },
    120,
  );
}

/** Has the server answer what it has taken, and begins the rest of the round. */
async function sendRest(): Promise<void> {
  smtp.behave();
  smtp.release();
  await begin(Math.max(0, before + CAMPAIGNS_A_ROUND - begun.length));
}

/** Kills a daemon that sends, and starts it again. Of the emails that the server has from it, every other one with a mailbox bounces. */
async function killAndRestart(name: string, program?: string): Promise<void> {
  const daemon = running(name);
  await sendUntilHeld(daemon);
  await daemon.end('SIGKILL');
  kills++;
  for (const { recipient, messageId, mailbox, state } of await inFlightAt(daemon)) {
    atRisk.add(recipient);
    const copy = taken(recipient);
    if (copy === undefined || mailbox === null || state !== 'transmitting') continue;
    if (proved.filed.length <= proved.bounced.length) {
      await imap.append(mailbox, 'Sent', copy.raw);
      proved.filed.push(recipient);
    } else {
      await imap.append(mailbox, 'INBOX', bounce({ messageId, recipient }, { headers: { Date: new Date().toUTCString() } }));
      proved.bounced.push(recipient);
    }
  }
  await sendRest();
  await start(name, program);
}

/** The version of a program, and the daemons that it lists, by process. */
async function status(program?: string): Promise<{ version: string; listed: Record<string, unknown>[] }> {
  const { version, daemons: all } = await succeed(cliOf('asking', program), 'status');
  const listed = all.map((daemon: Record<string, unknown>) => ({ host: daemon.host, pid: daemon.pid, version: daemon.version }));
  return { version, listed: listed.toSorted((a: { pid: number }, b: { pid: number }) => a.pid - b.pid) };
}

const ofVersion = (version: string) =>
  [...daemons.values()].map(({ pid }) => ({ host: hostname(), pid, version })).toSorted((a, b) => a.pid - b.pid);

const statesOf = async (recipients: readonly string[]) =>
  (await app.db.query<{ state: string }>(sql`select state from outbox where recipient = any(${recipients}::text[])`)).map(
    ({ state }) => state,
  );

/** Waits until a daemon has ended because of its database: with status 1, one line in its log and one at its end that say why. */
async function endedBecause(name: string, reason: string): Promise<void> {
  const { child, logged } = running(name);
  // A drain may take 100 s, and does on a slow machine.
  await waitUntil(`daemon ${name} has ended`, () => child.exitCode !== null, 120);
  daemons.delete(name);
  expect(child.exitCode, logged()).toBe(1);
  const lines = logged().trimEnd().split('\n');
  // On a slow machine a job may have failed before, which is none of this.
  const ending = lines.slice(lines.findIndex((line) => line.includes('"msg":"the daemon has to end"')));
  expect(ending.filter((line) => line.includes('"level":"error"')).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'the daemon has to end', reason }),
  ]);
  expect(lines.at(-1)).toBe(`outreach: the daemon has ended: ${reason}`);
}

it('three daemons that send are killed, one after the other, and start again', async () => {
  const names = ['one', 'two', 'three'];
  await Promise.all(names.map((name) => start(name)));
  for (const name of names) await killAndRestart(name);
  const { version, listed } = await status();
  expect(listed).toEqual(ofVersion(version));
});

it('the next version migrates once they have drained, or fallen silent', async () => {
  const [one, two, three] = [running('one'), running('two'), running('three')];
  const { version } = await status();
  await sendUntilHeld(one, two, three);
  const refused = await refuse(cliOf('four', next.program), 1, 'migrate');
  expect(refused).toMatch(/^outreach: daemons are using this database \(.*\); stop them first, on each machine, with: outreach stop\n$/);
  for (const { pid } of [one, two, three]) expect(refused).toContain(`process ${pid} on ${hostname()}, version ${version}`);

  // One stands still, as on a suspended machine. The answers for which it waits come meanwhile.
  one.child.kill('SIGSTOP');
  const given = await heldAt(one);
  const four = start('four', next.program, '--install');
  four.catch(() => undefined);
  const untilItDrains = ({ url }: DaemonProcess) =>
    waitUntil(
      'the daemon drains',
      async () => {
        const ready = await fetch(`${url}/readyz`);
        return ready.status === 503 && (await ready.text()).includes('draining');
      },
      90,
    );
  await Promise.all([two, three].map(untilItDrains));
  for (const { url } of [two, three]) expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // On a slow machine the drain has cut off the server by now.
  for (const { held } of begun) if (!given.includes(held)) atRisk.add(held);
  await sendRest();
  await endedBecause('two', 'another version of Outreach is about to migrate the database');
  await endedBecause('three', 'another version of Outreach is about to migrate the database');
  await four;
  await waitUntil(
    'what the silent one was sending is given up',
    async () => (await statesOf(given)).every((state) => state === 'unknown'),
    90,
  );

  one.child.kill('SIGCONT');
  const newer = `the database is newer than this program (it has ${next.migration}); install the version that made it, or a later one`;
  await endedBecause('one', newer);
  // "A late 250 of an email that was given up is a proof and settles it."
  expect(await statesOf(given)).toEqual(given.map(() => 'accepted'));
  // As a service manager would start it again.
  expect(await cliOf('one')(['start', '--port', '0'])).toMatchObject({ status: 1, stdout: '', stderr: `outreach: ${newer}\n` });
});

// "Rolling upgrade of three daemons under load with a migration between; host names equal; SIGKILL of each: 0 doubled, 0 lost, nothing left
// for a person that a proof could settle."
it('daemons of the next version go on, one of them is killed: each recipient exactly once or "delivery unknown"', async () => {
  for (const name of ['two', 'three']) await start(name, next.program);
  await killAndRestart('four', next.program);
  await begin(waiting.length);
  expect(await status(next.program)).toEqual({ version: next.version, listed: ofVersion(next.version) });

  // A person reads of a failure which emails are left, and whether the server took them.
  let rest: { recipient: string; state: string; isTaken: boolean }[] = [];
  await waitUntil(
    'every email is settled, and every proof has counted',
    async () => {
      const open = await app.db.query<{ recipient: string; state: string }>(sql`
        select recipient, state from outbox
        where state not in ('accepted', 'unknown') or (state = 'unknown' and recipient = any(${[...proved.filed, ...proved.bounced]}::text[]))`);
      rest = open.map((email) => ({ ...email, isTaken: taken(email.recipient) !== undefined }));
      const [row] = await app.db.query<{ count: number }>(sql`select count(*)::int as count from outbox`);
      return row?.count === EMAILS && rest.length === 0;
    },
    200,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; seed ${seed}, left: ${JSON.stringify(rest.slice(0, 20))}`);
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const ledger = await readLedger(app);
  const verdict = judge(
    smtp.messages.map(({ to }) => emailKey(to[0] ?? '', 1)),
    ledger,
  );
  console.log(
    `seed ${seed}: ${EMAILS} emails, ${kills} kills, ${proved.filed.length} copies and ${proved.bounced.length} bounces as proofs, ${seconds} s:`,
    JSON.stringify(verdict),
  );
  expect(verdict).toMatchObject({ doubled: [], lost: [], unexplained: [], open: [] });
  expect(verdict.sent + verdict.unknown).toBe(EMAILS);
  expect(Math.min(proved.filed.length, proved.bounced.length)).toBeGreaterThan(0);
  // What is left to a person was at risk, and no proof of it came, as was waited for; and a person finds all of it.
  const left = ledger.filter(({ state }) => state === 'unknown').map(({ recipient }) => recipient);
  expect(left.filter((recipient) => !atRisk.has(recipient))).toEqual([]);
  const listed = await listOutbox(app.db, caller, { uncertain: true, limit: EMAILS });
  expect(listed.map(({ recipient }) => recipient).toSorted()).toEqual(left.toSorted());
});
