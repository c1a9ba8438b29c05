import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { completeFinishedCampaigns, pauseAccount } from '../../src/campaigns/index.ts';
import { type ActivityLine, followActivity } from '../../src/cli/client/activity.ts';
import type { Api } from '../../src/cli/client/api.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/log.ts';
import { sql } from '../../src/db/statement.ts';
import { keepHealth } from '../../src/health/keep-health.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { readActivity } from '../../src/live/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { message } from '../support/inbound-mail.ts';
import { insertAccount } from '../support/rows.ts';
import { giveMailbox, type Sender, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let app: App;
let sender: Sender;
let email: string;
let imap: ImapServer;
let sink: SmtpSink;
const logged: string[] = [];

const NO_CAMPAIGN = { campaign_id: null, campaign: null };
const SINCE = new Date(TEST_START);
const read = (account?: string) => readActivity(app.db, installation.caller, { since: SINCE, account, limit: 100 });
const outboxIds = () => app.db.query<{ id: number; recipient: string }>(sql`select id, recipient from outbox order by id`);

/** One email is accepted and answered, one refused; then the account is paused by a person. */
beforeAll(async () => {
  const made = await testInstallation();
  app = { ...made.app, log: createLogger('info', { write: (line) => void logged.push(line) }) };
  installation = { ...made, app };
  ({ imap, sink } = await startMailServers());
  sink.misbehave('rcpt', { code: 550, text: '5.1.1 <gone@Lost.example>: nobody here' }, { to: 'gone@lost.example' });
  sender = await startSender(installation, sink, { contacts: [{ email: 'ada@kept.example' }, { email: 'gone@Lost.example' }] });
  email = await giveMailbox(installation, sender.accountId, imap.port);
  await sender.batch();
  await completeFinishedCampaigns(app);
  const [sent] = await app.db.query<{ message_id: string }>(sql`select message_id from outbox where recipient = 'ada@kept.example'`);
  installation.clock.advance(MINUTE);
  const headers = { From: 'Ada <ada@kept.example>', Subject: 'Re: Hello', 'In-Reply-To': sent?.message_id ?? '' };
  await imap.append(email, 'INBOX', message(headers, 'Call me.'));
  await new MailboxPoller(app).poll(sender.accountId);
  installation.clock.advance(MINUTE);
  await pauseAccount(app, installation.caller, sender.accountId);
});

describe('outreach logs', () => {
  it('has a line for each email sent, bounced and answered, each account paused and campaign completed, with ids, domain and code, and no address', async () => {
    const [kept, lost] = await outboxIds();
    const account = { account_id: sender.accountId, account: email };
    const lines = await read();
    expect(lines.slice(0, 3)).toEqual(
      expect.arrayContaining([
        {
          id: expect.any(String),
          at: '2026-07-07 12:00:00',
          what: 'sent',
          email_id: kept?.id,
          ...account,
          domain: 'kept.example',
          code: '250',
          reason: null,
          ...NO_CAMPAIGN,
        },
        {
          id: expect.any(String),
          at: '2026-07-07 12:00:00',
          what: 'bounced',
          email_id: lost?.id,
          ...account,
          domain: 'lost.example',
          code: '550 5.1.1',
          reason: null,
          ...NO_CAMPAIGN,
        },
        {
          ...{ id: expect.any(String), at: '2026-07-07 12:00:00', what: 'completed', email_id: null, account_id: null, account: null },
          ...{ domain: null, code: null, reason: null, campaign_id: sender.campaignId, campaign: expect.any(String) },
        },
      ]),
    );
    expect(lines.slice(3)).toEqual([
      {
        id: expect.any(String),
        at: '2026-07-07 12:01:00',
        what: 'answered',
        email_id: kept?.id,
        ...account,
        domain: 'kept.example',
        code: null,
        reason: null,
        ...NO_CAMPAIGN,
      },
      {
        id: expect.any(String),
        at: '2026-07-07 12:02:00',
        what: 'paused',
        email_id: null,
        ...account,
        domain: null,
        code: null,
        reason: 'manual',
        ...NO_CAMPAIGN,
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/ada@|gone@/i);
  });

  it('keeps to accounts, a time and a number of lines', async () => {
    expect(await read(email.toUpperCase())).toHaveLength(5);
    expect(await read(String(await insertAccount(app)))).toEqual([]);
    await expect(read('nobody@example.com')).rejects.toMatchObject({ code: 'not_found' });
    const later = { since: new Date(SINCE.getTime() + MINUTE), limit: 1 };
    expect((await readActivity(app.db, installation.caller, later)).map(({ what }) => what)).toEqual(['paused']);
  });

  it('shows nobody what they may not see: other workspaces, and accounts and campaigns that are not shared with them', async () => {
    const elsewhere = { ...installation.caller, workspaceId: 2 };
    expect(await readActivity(app.db, elsewhere, { since: SINCE, limit: 100 })).toEqual([]);
    const member = { ...installation.caller, actor: 'user', role: 'manager', userId: 99, isInstallAdmin: false } as const;
    const theirs = () => readActivity(app.db, member, { since: SINCE, limit: 100 });
    expect(await theirs()).toHaveLength(5);
    await app.db.query(sql`update campaigns set is_shared_to_all = false, created_by = null where id = ${sender.campaignId}`);
    expect((await theirs()).map(({ what }) => what)).toEqual(['paused']);
    await app.db.query(sql`update accounts set is_shared_to_all = false, created_by = null where id = ${sender.accountId}`);
    expect(await theirs()).toEqual([]);
    await expect(readActivity(app.db, member, { since: SINCE, account: email, limit: 1 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('--follow gives each line once, and those that are added', async () => {
    const ended = new AbortController();
    const lines: ActivityLine[] = [];
    const list = {
      query: async ({ since, limit }: { since?: string; limit: number }) => ({
        data: await readActivity(app.db, installation.caller, { since: new Date(since ?? SINCE), limit }),
      }),
    };
    const api = { activity: { list } } as unknown as Api;
    const options = { signal: ended.signal, url: undefined, onTrouble: () => undefined, milliseconds: 10 };
    for await (const line of followActivity(api, { limit: 3 }, options)) {
      lines.push(line);
      if (lines.length === 3)
        await app.db.query(sql`
        insert into audit_log (workspace_id, actor, action, resource_type, resource_id, changes, at) values
          (1, 'system', 'account.pause', 'account', ${sender.accountId}, '{"pause_reason": [null, "provider_limit"], "pause_message":
            [null, "421 4.7.28 slow down"]}', ${installation.clock.now()})`);
      if (lines.length === 4) ended.abort();
    }
    expect(lines.map(({ what }) => what)).toEqual(['completed', 'answered', 'paused', 'paused']);
    expect(lines.at(-1)).toMatchObject({ reason: 'provider_limit', code: '421 4.7.28' });
  });
});

it('the log of the daemon has a line for each of these too, with ids, domain and code, and no address', async () => {
  const [kept, lost] = await outboxIds();
  const lines = logged.map((line) => JSON.parse(line)).filter(({ account }) => account === sender.accountId);
  const common = { campaign: sender.campaignId, account: sender.accountId, level: 'info' };
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...common, msg: 'email sent', outbox: kept?.id, domain: 'kept.example', code: '250' }),
      expect.objectContaining({
        ...common,
        msg: 'email bounced',
        outbox: lost?.id,
        domain: 'lost.example',
        code: '550 5.1.1',
        class: 'hard',
      }),
      expect.objectContaining({ ...common, msg: 'email answered', outbox: kept?.id, domain: 'kept.example', writer: 'contact' }),
      expect.objectContaining({ account: sender.accountId, msg: 'account paused', reason: 'manual' }),
    ]),
  );
  expect(lines).toHaveLength(4);
  expect(logged.join('')).not.toMatch(/ada@|gone@/i);
});

it('has a line for each account that reaches its daily limit or changes its health, and each campaign that is completed', async () => {
  const { caller, clock } = installation;
  const since = clock.now();
  const busy = await startSender(installation, sink, { account: { daily_send_limit: 1 }, contacts: [{}, {}] });
  await busy.batch();
  const checks = [{ check: 'spf', state: 'stop', detail: 'none', remedy: 'add it' }] as const;
  await app.db.tx((tx) => keepHealth(tx, app, busy.accountId, { checks, listsAskedAt: null }));
  const ended = await startSender(installation, sink);
  await ended.batch();
  const what = { limited: 'daily limit of 1', health: 'stop: spf', completed: null };
  const changes = async (by = caller, account?: string) =>
    (await readActivity(app.db, by, { since, account, limit: 100 })).flatMap((line) =>
      line.what in what ? [[line.what, line.reason, line.account_id, line.campaign_id]] : [],
    );
  const lines = [
    ['limited', what.limited, busy.accountId, null],
    ['health', what.health, busy.accountId, null],
    ['completed', null, null, ended.campaignId],
  ];
  expect(await changes()).toEqual(expect.arrayContaining(lines));
  expect(await changes(caller, String(ended.accountId))).toEqual([lines[2]]);
  const member = { ...caller, actor: 'user', role: 'manager', userId: 99, isInstallAdmin: false } as const;
  await app.db.query(sql`update campaigns set is_shared_to_all = false, created_by = null where id = ${ended.campaignId}`);
  await app.db.query(sql`update accounts set is_shared_to_all = false, created_by = null where id = ${busy.accountId}`);
  expect(await changes(member)).toEqual([]);
});
