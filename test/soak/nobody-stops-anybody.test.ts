import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealImapSecret, sealSmtpSecret } from '../../src/accounts/secret.ts';
import { activateCampaign, enrol } from '../../src/campaigns/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { afterFile } from '../support/after-file.ts';
import { apiClient } from '../support/api-client.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { type Seen, seenMeanwhile } from '../support/bystander.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';
import { type Greed, startGreedyImap } from '../support/greedy-imap.ts';
import { startHostileImap } from '../support/hostile/imap.ts';
import { PROFILES } from '../support/hostile/profiles.ts';
import { startHostileSmtp } from '../support/hostile/smtp.ts';
import { drawDeviation } from '../support/hostile/walk.ts';
import { reply } from '../support/inbound-mail.ts';
import { member, workspace } from '../support/people.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment } from '../support/rows.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

/**
 * docs/security.md: a manager's key can't "stop the daemon, or keep other workspaces waiting", and "your provider's server" can't reach "the API or
 * the machine". A daemon with a heap of 300 MB is attacked while somebody in another workspace uses it, sends and is answered.
 */

/** The length of the run with a hundred hostile accounts; longer with HOSTILE_SECONDS=600. */
const HOSTILE_SECONDS = Number(process.env.HOSTILE_SECONDS ?? 60);
const HOSTILE_ACCOUNTS = 100;
const SEED = Number(process.env.HOSTILE_SEED ?? 42);
/** In MB: what `MemoryMax` of the unit leaves to the daemon and its processes. */
const MEMORY = 512;

const installation = await testInstallation();
const { app, clock, caller, adminKey, databaseUrl, dataDir } = installation;
clock.set(new Date());
const workspaceId = await workspace(app, 'Attackers');
const attacker = await member(app, 'admin', { workspaceId });
const random = seededRandom(SEED);
const sink = await startSmtpSink({ users: { me: 'secret' } });
const mailbox = await startHostileImap();
afterFile(() => sink.close());
let daemon: DaemonProcess;
let campaignId: number;

beforeAll(async () => {
  const account = { email: 'good@example.com', smtpUrl: `smtp://me@127.0.0.1:${sink.port}`, password: 'secret', batch: 100 };
  const id = await connectBulkAccount(app, caller, { ...account, imapUrl: `imap://me@127.0.0.1:${mailbox.port}` });
  campaignId = await bulkCampaign(app, caller, 'good', id, 1);
  await activateCampaign(app, caller, campaignId, null);
  const env = { NODE_OPTIONS: '--max-old-space-size=300', OUTREACH_POLL_INTERVAL_SECONDS: '20', OUTREACH_TICK_SECONDS: '1' };
  daemon = await startDaemonProcess({ databaseUrl, home: dataDir, env });
  await sink.waitFor(1, 120);
}, 240_000);
afterAll(() => daemon?.end('SIGTERM'));

const api = () => apiClient(daemon.url, attacker.key);

/** Milliseconds until an email to a new contact is sent, and until the answer to it is a reply. */
async function sentAndRead(): Promise<{ sent: number; read: number }> {
  const contactId = await insertContact(app, { name: 'Ada Lovelace' });
  const begun = performance.now();
  await enrol(app, caller, campaignId, { contact_ids: [contactId] });
  const sent = await waitUntil(
    'the other workspace sends',
    async () => {
      const [row] = await app.db.query<{ id: number; message_id: string; recipient: string }>(sql`
        select id, message_id, recipient from outbox where contact_id = ${contactId} and accepted_at is not null`);
      return row;
    },
    150,
  );
  const sentAfter = performance.now() - begun;
  const mail = { outboxId: sent.id, enrolmentId: 0, contactId, campaignId, messageId: sent.message_id, recipient: sent.recipient };
  mailbox.deliver(reply(mail, { Date: new Date().toUTCString() }));
  const delivered = performance.now();
  const replied = () => app.db.query(sql`select from enrolments where contact_id = ${contactId} and status = 'replied'`);
  await waitUntil('the other workspace is read', async () => (await replied()).length > 0, 150);
  return { sent: sentAfter, read: performance.now() - delivered };
}

/** An account of the attackers with these servers, in an active campaign that is due. */
async function hostileAccount(imapPort: number, smtpPort = sink.port): Promise<number> {
  const server = (port: number) => ({ host: '127.0.0.1', port, secure: false, tls: 'off' as const, user: 'me' });
  const [smtp, imap] = [server(smtpPort), server(imapPort)];
  const now = new Date();
  const windows = { send_window_start_hour: 0, send_window_end_hour: 24 };
  const id = await insertAccount(app, { workspace_id: workspaceId, smtp: JSON.stringify(smtp), imap: JSON.stringify(imap), ...windows });
  const sealed = [
    sealSmtpSecret(app, { id, provider: 'smtp', server: smtp }, { pass: 'secret' }),
    sealImapSecret(app, { id, server: imap }, { pass: 'x' }),
  ];
  await app.db.query(
    sql`update accounts set smtp_secret = ${sealed[0]}, imap_secret = ${sealed[1]}, last_batch_at = ${new Date(now.getTime() - DAY)}, next_batch_at = ${now} where id = ${id}`,
  );
  const hours = { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 };
  const campaign = await insertCampaign(app, { workspace_id: workspaceId, account_id: id, ...hours }, [{ subject: 'Hello' }]);
  const contact = await insertContact(app, { workspace_id: workspaceId });
  await insertEnrolment(app, campaign, { workspace_id: workspaceId, contact_id: contact, account_id: id, due_at: now });
  return id;
}

/** Takes the attackers' accounts away, so that the next attack begins alone. */
const calm = () => app.db.query(sql`update accounts set deleted_at = now() where workspace_id = ${workspaceId}`);

const always =
  (verb: string, answer: (tag: string) => string | Buffer, endless = false): Greed =>
  (command, tag, say) => {
    if (command === verb) say(answer(tag), { endless });
    return command === verb;
  };
const fetchOf = (bytes: number) => `* 1 FETCH (UID 1 BODY[]<0> {${bytes}}\r\n${'A'.repeat(bytes)})\r\n`;
const numbers = Array.from({ length: 60_000 }, (_, index) => 1_000_000 + index).join(' ');
const GREEDS: Readonly<Record<string, Greed>> = {
  'four million flags': always('LIST', () => `* LIST (${'\\a '.repeat(4_000_000)}\\a) "/" INBOX\r\n`),
  'eight million numbers': always('UID SEARCH', () => `* SEARCH${' 1'.repeat(8_000_000)}\r\n`),
  'numbers without end': always('UID SEARCH', () => `* SEARCH ${numbers.slice(0, 16_000)}\r\n`, true),
  'messages of 60 MiB': always('UID FETCH', () => fetchOf(60 * 1024 * 1024)),
  'messages without end': always('UID FETCH', () => fetchOf(60 * 1024), true),
  'lines without end': always('LIST', () => '* OK x\r\n'.repeat(1_000), true),
  'nested lists without end': always(
    'UID FETCH',
    () => `* 1 FETCH (UID 1 X ${'('.repeat(20)}${'a '.repeat(6_000)}${')'.repeat(20)})\r\n`,
    true,
  ),
  'a refusal of 150,000 spaces': always('EXAMINE', (tag) => `${tag} NO ${' '.repeat(16_000)}x\r\n`),
  'a line now and then': (command, _tag, say) => {
    if (command === 'LIST') say.slowly('* OK wait\r\n');
    return command === 'LIST';
  },
};

const spaces = `a${' '.repeat(180_000)}b`;
const ATTACKS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a text of 180,000 spaces': () =>
    api().post('/campaigns/apply', {
      campaigns: [{ name: 'q', accounts: ['x@example.com'], steps: [{ subject: 'x', text: spaces }] }],
      dry_run: true,
    }),
  'twenty steps of 256 KiB, checked': async () => {
    const account = await hostileAccount(mailbox.port);
    const { body } = await api().post('/campaigns', { name: 'braces', account_id: account });
    for (let step = 0; step < 20; step++)
      await api().post(`/campaigns/${body.id}/steps`, {
        subject: step === 0 ? 'x' : '',
        body_html: `${'{'.repeat(3_900)}${'b'.repeat(250_000)}`,
        wait_days: step && 1,
      });
    for (let time = 0; time < 3; time++) await api().get(`/campaigns/${body.id}/warnings`);
  },
  'a table of 800,000 columns': async () => {
    const header = ['email', ...Array.from({ length: 800_000 }, (_, index) => index.toString(36))].join(',');
    const form = new FormData();
    form.append('file', new Blob([`${header}\na@b.example\n`]), 'x.csv');
    await api()
      .post('/imports', form)
      .catch(() => undefined);
    await pause(5_000);
  },
  'forms of a million parts': async () => {
    const body = '--x\r\n\r\n\r\n'.repeat(1_000_000);
    const headers = { authorization: `Bearer ${attacker.key}`, 'content-type': 'multipart/form-data; boundary=x' };
    const send = () => fetch(`${daemon.url}/api/v1/imports`, { method: 'POST', headers, body }).catch(() => undefined);
    await Promise.all(Array.from({ length: 4 }, send));
  },
  'the document of the API, again and again': async () => {
    const end = Date.now() + 5_000;
    const read = async () => {
      while (Date.now() < end) await (await fetch(`${daemon.url}/api/v1/openapi.json`)).arrayBuffer();
    };
    await Promise.all(Array.from({ length: 10 }, read));
  },
  'refusals of recipients of 200,000 spaces': async () => {
    const smtp = await startHostileSmtp({ RCPT: `550 5.1.1 ${' '.repeat(200_000)}x` });
    for (let made = 0; made < 5; made++) await hostileAccount(mailbox.port, smtp.port);
    await waitUntil('it was emailed', () => smtp.connections > 0, 30);
    await pause(5_000);
    await smtp.close();
  },
  'fifty SMTP servers that never come to an end': async () => {
    const smtp = await startHostileSmtp({ MAIL: (socket) => void setInterval(() => socket.write('250-wait\r\n'), 1_000).unref() });
    for (let made = 0; made < 60; made++) await hostileAccount(mailbox.port, smtp.port);
    await waitUntil('many are connected to', () => smtp.connections > 20);
    await sentAndRead();
    await smtp.close();
  },
  ...Object.fromEntries(
    Object.entries(GREEDS).map(([name, greed]) => [
      `twenty mailboxes: ${name}`,
      async () => {
        const server = await startGreedyImap(greed);
        for (let made = 0; made < 20; made++) await hostileAccount(server.port);
        await waitUntil('they are polled', () => server.connections >= 20, 120);
        await sentAndRead();
        await server.close();
      },
    ]),
  ),
};

/** Other work than the test's on this machine takes longer than what is measured. */
const isCalm = () => (loadavg()[0] ?? 0) < 2 * availableParallelism();

function expectUnharmed(seen: Seen): void {
  expect(daemon.child.exitCode ?? daemon.child.signalCode).toBeNull();
  expect(seen.refused).toBe(0);
  expect(seen.withProcesses).toBeLessThan(MEMORY);
  if (!isCalm()) return;
  expect(seen.health.p95).toBeLessThan(250);
  expect(seen.other.p95).toBeLessThan(1_000);
}

describe('others are answered, sent and read as usual, whatever one workspace or its mail servers do', () => {
  it.each(Object.entries(ATTACKS))('%s', async (name, attack) => {
    const seen = await seenMeanwhile({ url: daemon.url, pid: daemon.pid, key: adminKey }, attack);
    console.log(name, JSON.stringify(seen));
    await calm();
    expectUnharmed(seen);
  });

  it(`a hundred accounts with servers drawn from every behaviour, for ${HOSTILE_SECONDS} s`, {
    timeout: (HOSTILE_SECONDS + 300) * 1_000,
  }, async () => {
    const draw = <Value>(values: readonly Value[]) => values[random.integer(0, values.length - 1)] as Value;
    const servers: { port: number }[] = [];
    for (const greed of Object.values(GREEDS)) servers.push(await startGreedyImap(greed));
    const drawn = () => random.integer(0, 999_999) / 1_000_000;
    for (let made = 0; made < 40; made++) {
      const deviations = [drawDeviation(drawn), drawDeviation(drawn)].map(({ deviation }) => deviation);
      servers.push(await startHostileImap({ ...draw(Object.values(PROFILES)), deviations }));
    }
    const smtps = [
      await startHostileSmtp({ MAIL: (socket) => void setInterval(() => socket.write('250-wait\r\n'), 1_000).unref() }),
      await startHostileSmtp({ RCPT: `550 5.1.1 ${' '.repeat(200_000)}x` }),
      await startHostileSmtp({ greeting: null }),
      await startHostileSmtp({ dot: (socket) => void socket.destroy() }),
    ];
    for (let made = 0; made < HOSTILE_ACCOUNTS; made++) await hostileAccount(draw(servers).port, draw(smtps).port);
    const times: { sent: number; read: number }[] = [];
    const seen = await seenMeanwhile({ url: daemon.url, pid: daemon.pid, key: adminKey }, async () => {
      const end = Date.now() + HOSTILE_SECONDS * 1_000;
      do times.push(await sentAndRead());
      while (Date.now() < end);
    });
    console.log(`seed ${SEED}`, JSON.stringify(seen), JSON.stringify(times.map(({ sent, read }) => [Math.round(sent), Math.round(read)])));
    for (const server of smtps) await server.close();
    expectUnharmed(seen);
    // A batch leaves every minute.
    for (const { sent, read } of times) {
      expect(sent).toBeLessThan(90_000);
      expect(read).toBeLessThan(30_000);
    }
  });

  it('and the daemon stops within 30 s', async () => {
    const begun = performance.now();
    await daemon.end('SIGTERM');
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});
