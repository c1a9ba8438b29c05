import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { addStep, campaignStats, changeWorkspace, pauseAccount, previewCampaign } from '../../src/campaigns/index.ts';
import { addSuppression } from '../../src/contacts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { listEvents } from '../../src/events/index.ts';
import { testCampaign } from '../../src/sending/index.ts';
import { testContact } from '../../src/sending/test-emails/test-contact.ts';
import { decorateEmail, linkOf, unsubscribe } from '../../src/tracking/index.ts';
import { afterFile } from '../support/after-file.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertContact } from '../support/rows.ts';
import { type Sender, startSender } from '../support/sender.ts';
import { type SinkMessage, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

/** A test is an email as a contact would receive it. It counts for the account's day only. */

const TO = 'me@us.example';
const LINKS = { decorate: decorateEmail, linkOf };

let installation: TestInstallation;
let app: App;
let sink: SmtpSink;
let sender: Sender;

beforeAll(async () => {
  installation = await testInstallation({ baseUrl: 'https://links.example.com' });
  ({ app } = installation);
  sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
  await changeWorkspace(app, installation.caller, {
    postal_address: 'Acme GmbH, Hauptstr. 1',
    footer_html: '<p>{{postal_address}} <a href="{{unsubscribe_url}}">Unsubscribe</a></p>',
  });
});
beforeEach(async () => {
  sink.messages.length = 0;
  const steps = [
    { subject: 'Hello {{first_name}}', body_html: '<p>One for {{company}}: <a href="https://shop.example/x">shop</a></p>' },
    { body_html: '<p>Two</p>', body_html_b: '<p>Two for B</p>', wait_days: 3 },
  ];
  sender = await startSender(installation, sink, { steps, contacts: [{ name: 'Ada Lovelace', company: 'Engines' }] });
});

const test = (input: object = {}) => testCampaign(app, installation.caller, sender.campaignId, { to: TO, ...input }, LINKS);
const header = (message: SinkMessage | undefined, name: string) => message?.headers.get(name);
const html = (message: SinkMessage | undefined) =>
  String(message?.raw).split('Content-Type: text/html')[1]?.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
/** Returns a message without its ids, dates and recipient, and without its marks as a test. */
const withoutMarks = (message: SinkMessage | undefined) =>
  String(message?.raw)
    .replaceAll(/^(?:To|Message-ID|Date|X-Entity-Ref-ID|Thread-Index|List-Unsubscribe|DKIM-Signature):.*\r\n(?:[ \t].*\r\n)*/gim, '')
    .replaceAll(/[=\r\n]+/g, '')
    .replaceAll(/boundary"?[^"]*"|--[\w.-]*?(?=Content-Type|--|$)/g, '')
    .replaceAll(/links\.example\.com\/u\/\S+?(?=["\]>])/g, 'OPT-OUT')
    .replaceAll('[Test] ', '');
const countedToday = async () =>
  (await app.db.query<{ accepted: number }>(sql`select accepted from account_days where account_id = ${sender.accountId}`))[0]?.accepted ??
  0;

describe('campaign test', () => {
  it('says that there is no such contact only if there is none', async () => {
    await expect(test({ contact_id: 999_999 })).rejects.toThrow('contact_id: there is no contact 999999');
    const gone = { ...app, db: { query: () => Promise.reject(new Error('the database is gone')) } } as unknown as App;
    await expect(testContact(gone, installation.caller, sender.campaignId, sender.contactIds[0], TO)).rejects.toThrow(
      'the database is gone',
    );
  });

  it('sends each step as the contact would receive it, marked as a test, the follow-up in the thread', async () => {
    const { emails, contact_id } = await test();
    expect(contact_id).toBe(sender.contactIds[0]);
    expect(emails.map(({ step_order, variant, subject }) => [step_order, variant, subject])).toEqual([
      [1, 'A', '[Test] Hello Ada'],
      [2, 'A', 'Re: [Test] Hello Ada'],
      [2, 'B', 'Re: [Test] Hello Ada'],
    ]);
    const [one, two] = sink.messages;
    expect([one?.to, header(one, 'to')]).toEqual([[TO], TO]);
    expect(String(one?.raw)).not.toMatch(/outreach/i);
    expect(header(two, 'in-reply-to')).toBe(header(one, 'message-id'));
    expect(html(one)).toContain('One for Engines');
    expect(html(one)).toContain('Acme GmbH, Hauptstr. 1');
  });

  it('has the headers of a real email, and the same ones but for its marks', async () => {
    await test({ step_order: 1 });
    await sender.batch();
    const [tested, real] = sink.messages;
    const names = (message: SinkMessage | undefined) => [...(message?.headers.keys() ?? [])].sort();
    expect(names(tested)).toEqual(names(real));
    expect(header(tested, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header(tested, 'from')).toBe(header(real, 'from'));
  });

  it('preview, test and the email that leaves take the same of choices and conditions: equal but for ids, dates and marks', async () => {
    const steps = [
      {
        subject: '{Hi|Hello|Dear} {{#if name}}{{first_name}}{{else}}reader{{/if}}',
        body_html: '<p>{One|{Two|Three}|Four} {{#if company}}for {{company}}{{else}}{5|6|7}{{/if}}{|!|?}</p>',
      },
    ];
    const contacts = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? { company: 'Engines' } : { name: '' }));
    sender = await startSender(installation, sink, {
      steps,
      contacts,
      campaign: { track_opens: false, track_clicks: false, spintax: true },
    });
    await sender.batch();
    const real = [...sink.messages];
    sink.messages.length = 0;
    for (const contact_id of sender.contactIds) await test({ contact_id });
    expect(real).toHaveLength(6);
    const subjects = new Set(real.map((message) => header(message, 'subject')));
    expect(subjects.size).toBeGreaterThan(1);
    expect([...subjects].join()).not.toContain('{');
    for (const [index, contactId] of sender.contactIds.entries()) {
      const sent = real[index];
      expect(withoutMarks(sink.messages[index])).toBe(withoutMarks(sent));
      const [previewed] = (await previewCampaign(app, installation.caller, sender.campaignId, contactId)).steps;
      expect(previewed?.subject).toBe(header(sent, 'subject'));
      const optOut = header(sent, 'list-unsubscribe')?.match(/<([^>]*)>/)?.[1] ?? '';
      expect(html(sent).replace(optOut, 'https://links.example.com/u/preview')).toContain(previewed?.body_html);
    }
  });

  it('counts for the day of the account, and for nothing else', async () => {
    await test();
    expect(await countedToday()).toBe(3);
    expect(await campaignStats(app.db, installation.caller, sender.campaignId)).toMatchObject({ sent: 0, opened: 0 });
    const { data } = await listEvents(app.db, installation.caller, { campaignId: sender.campaignId }, { limit: 50, offset: 0 });
    expect(data.map(({ type }) => type)).toEqual(['enrolled']);
    expect(await app.db.query(sql`select 1 from outbox where campaign_id = ${sender.campaignId}`)).toEqual([]);
    const report = await sender.batch();
    expect(report).toMatchObject({ sent: 1 });
  });

  it('is never refused for the daily limit, and uses it up', async () => {
    await app.db.query(sql`update accounts set daily_send_limit = 1 where id = ${sender.accountId}`);
    await test();
    expect(await countedToday()).toBe(3);
    expect(await sender.batch()).toMatchObject({ sent: 0 });
  });

  it('its links count and unsubscribe nobody', async () => {
    await test({ step_order: 1 });
    const [message] = sink.messages;
    // "so mail-tester or a seed inbox scores another email than the one that leaves": it has the links and the image of the real one.
    expect(html(message)).toMatch(/links\.example\.com\/c\/0\//);
    expect(html(message)).toMatch(/links\.example\.com\/o\/0\//);
    const [, id] = /links\.example\.com\/u\/([0-9a-z]+)\//.exec(header(message, 'list-unsubscribe') ?? '') ?? [];
    expect(id).toBe('0');
    expect(await unsubscribe(app, 0, null)).toBe(false);
    const [row] = await app.db.query<{ status: string }>(sql`select status from enrolments where campaign_id = ${sender.campaignId}`);
    expect(row?.status).toBe('active');
  });

  it('takes one step, one variant, one contact', async () => {
    const contact = await insertContact(app, { name: 'Grace Hopper', company: 'Navy' });
    const { emails } = await test({ step_order: 2, variant: 'B', contact_id: contact });
    expect(emails).toMatchObject([{ step_order: 2, variant: 'B', subject: 'Re: [Test] Hello Grace' }]);
    expect(html(sink.messages[0])).toContain('Two for B');
  });

  it('is in the history with its recipient', async () => {
    await test({ step_order: 1 });
    const [entry] = await app.db.query(sql`select changes from audit_log where action = 'campaign.test' order by id desc limit 1`);
    expect(entry).toEqual({ changes: { to: TO, step_order: 1, variant: 'A' } });
  });
});

describe('campaign test sends nothing', () => {
  const refused = async (input: object, code: string, message: string) => {
    await expect(test(input)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(sink.messages).toEqual([]);
    expect(await countedToday()).toBe(0);
  };

  it('to a suppressed address', async () => {
    await app.db.tx((tx) => addSuppression(tx, app, installation.caller, { email: 'gone@us.example', reason: null }));
    await refused({ to: 'Gone@us.example' }, 'conflict', 'is suppressed');
  });

  it('to a malformed one', () => refused({ to: 'me' }, 'invalid_request', 'to: must be one email address'));

  it('from a paused account', async () => {
    await pauseAccount(app, installation.caller, sender.accountId);
    await refused({}, 'conflict', 'is paused, archived or deleted');
  });

  it('for a step that there is not', () => refused({ step_order: 7 }, 'invalid_request', 'the campaign has no email step 7'));

  it('when an email would be held', async () => {
    await addStep(app, installation.caller, sender.campaignId, { ...STEP, body_html: '{{nonsense}}' });
    await refused({}, 'conflict', 'step 3: unknown placeholder {{nonsense}}');
  });

  it('that the server refuses, and does not count it', async () => {
    sink.misbehave('rcpt', { code: 550, text: '5.1.1 no such user' }, { times: 1 });
    await refused({}, 'conflict', 'did not accept the test of step 1: 550 5.1.1 no such user; 0 tests sent');
  });
});

const STEP = { kind: 'email', subject: '', body_html: 'B', subject_b: null, body_html_b: null, wait_days: 0 } as const;
