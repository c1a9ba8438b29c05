import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { pauseAccount } from '../../src/campaigns/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/log.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { type Activity, accountIdsOf, followActivity, readActivity } from '../../src/live/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { message } from '../support/inbound-mail.ts';
import { giveMailbox, type Sender, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let app: App;
let sender: Sender;
let email: string;
let imap: ImapServer;
let sink: SmtpSink;
const logged: string[] = [];

const SINCE = new Date(TEST_START);
const read = (accountIds?: number[]) => readActivity(app.db, { since: SINCE, accountIds, limit: 100 });
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
  const [sent] = await app.db.query<{ message_id: string }>(sql`select message_id from outbox where recipient = 'ada@kept.example'`);
  installation.clock.advance(MINUTE);
  const headers = { From: 'Ada <ada@kept.example>', Subject: 'Re: Hello', 'In-Reply-To': sent?.message_id ?? '' };
  await imap.append(email, 'INBOX', message(headers, 'Call me.'));
  await new MailboxPoller(app).poll(sender.accountId);
  installation.clock.advance(MINUTE);
  await pauseAccount(app, installation.caller, sender.accountId);
});

describe('outreach logs', () => {
  it('has a line for each email sent, bounced and answered and each account paused, with ids, domain and code, and no address', async () => {
    const [kept, lost] = await outboxIds();
    const account = { account_id: sender.accountId, account: email };
    const lines = await read();
    expect(lines.slice(0, 2)).toEqual(
      expect.arrayContaining([
        { at: '2026-07-07 12:00:00', what: 'sent', email_id: kept?.id, ...account, domain: 'kept.example', code: '250', reason: null },
        {
          at: '2026-07-07 12:00:00',
          what: 'bounced',
          email_id: lost?.id,
          ...account,
          domain: 'lost.example',
          code: '550 5.1.1',
          reason: null,
        },
      ]),
    );
    expect(lines.slice(2)).toEqual([
      { at: '2026-07-07 12:01:00', what: 'answered', email_id: kept?.id, ...account, domain: 'kept.example', code: null, reason: null },
      { at: '2026-07-07 12:02:00', what: 'paused', email_id: null, ...account, domain: null, code: null, reason: 'manual' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/ada@|gone@/i);
  });

  it('keeps to accounts, a time and a number of lines', async () => {
    expect(await read(await accountIdsOf(app.db, email.toUpperCase()))).toHaveLength(4);
    expect(await read([sender.accountId + 1])).toEqual([]);
    await expect(accountIdsOf(app.db, 'nobody@example.com')).rejects.toMatchObject({ code: 'not_found' });
    const later = { since: new Date(SINCE.getTime() + MINUTE), limit: 1 };
    expect((await readActivity(app.db, later)).map(({ what }) => what)).toEqual(['paused']);
  });

  it('--follow gives each line once, and those that are added', async () => {
    const ended = new AbortController();
    const lines: Activity[] = [];
    for await (const line of followActivity(app, { since: SINCE, limit: 3 }, ended.signal)) {
      lines.push(line);
      if (lines.length === 3)
        await app.db.query(sql`
        insert into audit_log (workspace_id, actor, action, resource_type, resource_id, changes, at) values
          (1, 'system', 'account.pause', 'account', ${sender.accountId}, '{"pause_reason": [null, "provider_limit"], "pause_message":
            [null, "421 4.7.28 slow down"]}', ${installation.clock.now()})`);
      if (lines.length === 4) ended.abort();
    }
    expect(lines.map(({ what }) => what)).toEqual([expect.any(String), 'answered', 'paused', 'paused']);
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
