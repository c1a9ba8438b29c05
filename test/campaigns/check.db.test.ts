import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { windowWarnings } from '../../src/campaigns/check/schedule-warnings.ts';
import { spamSigns } from '../../src/campaigns/check/spam-signs.ts';
import { type CampaignWarning, checkCampaign } from '../../src/campaigns/index.ts';
import { createCustomField } from '../../src/contacts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment } from '../support/rows.ts';

let app: App;
let caller: Caller;

beforeAll(async () => {
  ({ app, caller } = await testInstallation({ baseUrl: 'https://links.example.com' }));
  await createCustomField(app, caller, { name: 'Colour', field_type: 'text' });
  await app.db.query(sql`update workspaces set postal_address = 'Acme, 1 Main St' where id = 1`);
});

const FINE = { subject: 'Hello', body_html: '<p>Hello</p><a href="{{unsubscribe_url}}">no more</a>' };
/** Turns tracking off, because an open-tracking image has a warning of its own. */
const UNTRACKED = { track_opens: false, track_clicks: false };
const OPEN = { imap: '{}', send_window_start_hour: 0, send_window_end_hour: 24 };

async function check(
  world: { account?: object; campaign?: object; steps?: object[]; contacts?: Record<string, unknown>[]; installation?: App } = {},
) {
  const account_id = await insertAccount(app, { ...OPEN, ...world.account });
  const campaign = await insertCampaign(
    app,
    { account_id, status: 'draft', ...UNTRACKED, ...world.campaign },
    (world.steps ?? [FINE]) as never,
  );
  for (const values of world.contacts ?? []) await insertEnrolment(app, campaign, { contact_id: await insertContact(app, values) });
  return checkCampaign(world.installation ?? app, caller, campaign);
}

const AT_GMAIL = Array.from({ length: 23 }, (_, index) => ({ email: `somebody-${index}@gmail.com` }));

const codes = (warnings: readonly CampaignWarning[]) => warnings.map(({ code, is_blocking }) => `${code}${is_blocking ? '!' : ''}`);

describe('"campaign check mentions neither"', () => {
  it('an image on a short text, which SpamAssassin counts most, and tracking that needs an address', async () => {
    const campaign = { track_opens: true };
    expect(codes(await check({ campaign }))).toEqual(['short_with_image']);
    const long = { ...FINE, body_html: `${FINE.body_html}<p>${'A sentence of a long letter. '.repeat(60)}</p>` };
    expect(codes(await check({ campaign, steps: [long] }))).toEqual([]);
    const installation = { ...app, config: { ...app.config, publicUrl: null } };
    expect(codes(await check({ campaign, installation }))).toEqual(['not_tracked']);
  });
});

describe('the check of a campaign', () => {
  it('says nothing of one that is in order', async () => {
    expect(await check({ contacts: [{}] })).toEqual([]);
    const links =
      '<a href="mailto:a@b.example">a</a><a href="tel:1">b</a><a href="{{link}}">c</a><a href="#x">d</a><img src="https://a.example/x.png">';
    const codesOf = codes(await check({ steps: [{ ...FINE, body_html: FINE.body_html + links }], contacts: [{}] }));
    expect(codesOf).not.toContain('broken_link');
  });

  it('names unknown placeholders with their step and the number of contacts, in what is really sent', async () => {
    const steps = [
      { ...FINE, subject: '{{a}} {{name}}', subject_b: '{{b}}', body_html_b: '{{unsubscribe_url}} {{d}} {{signature}} {{colour|x}}' },
      { subject: '{{e}}', subject_b: '{{f}}', body_html: '{{g}}' },
      { kind: 'call', body_html: '{{h}}' },
    ];
    const warnings = (await check({ steps, contacts: [{}, {}] })).filter(({ code }) => code === 'unknown_placeholder');
    expect(warnings.map(({ message }) => message)).toEqual([
      'step 1: unknown placeholder {{a}}, {{b}}, {{d}}; its emails to 2 contacts will be held',
      'step 2: unknown placeholder {{g}}; its emails to 2 contacts will be held',
    ]);
    expect(warnings[0]).toMatchObject({ is_blocking: true, step_order: 1, contacts: 2 });
  });

  it('counts the contacts for whom a placeholder without a fallback is empty', async () => {
    const steps = [{ ...FINE, body_html: `${FINE.body_html} {{company}} {{colour}} {{last_name}} {{first_name|there}}` }];
    const contacts = [{ name: 'Ada Lovelace', company: 'Engines', custom_fields: { colour: 'red' } }, { name: 'Grace' }, { name: '' }];
    expect((await check({ steps, contacts })).map(({ message }) => message)).toEqual(
      ['company', 'colour', 'last_name'].map((key) => `step 1: 2 contacts have no value for {{${key}}}, which has no fallback`),
    );
  });

  it('counts any number of placeholders', async () => {
    const now = app.clock.now();
    await app.db.query(sql`
      insert into custom_fields (workspace_id, name, key, field_type, created_at)
      select 1, 'many' || i, 'many' || i, 'text', ${now} from generate_series(1, 150) i`);
    const body_html = `${FINE.body_html}${Array.from({ length: 150 }, (_, index) => `{{many${index + 1}}}`).join('')}`;
    expect(await check({ steps: [{ ...FINE, body_html }], contacts: [{}] })).toHaveLength(150);
  });

  it.each<[string, Parameters<typeof check>[0], string[]]>([
    ['no e-mail step', { steps: [] }, ['no_email_step!']],
    ['windows that never meet', { account: { send_window_start_hour: 0, send_window_end_hour: 4 } }, ['windows_never_overlap!']],
    ['windows that meet for a while', { account: { send_window_start_hour: 10 } }, ['windows_overlap_in_part']],
    ['an archived account', { account: { is_archived: true } }, ['account_gone!', 'replies_not_polled']],
    ['a paused account', { account: { status: 'paused', pause_reason: 'manual' } }, ['account_not_active!']],
    ['a daily limit of 0', { account: { daily_send_limit: 0 } }, ['daily_limit_zero!']],
    ['an unread reply address', { campaign: { reply_to: 'elsewhere@example.org' } }, ['replies_not_polled']],
    ['an unread mailbox', { account: { imap: null } }, ['replies_not_polled']],
    ['a mailbox that cannot be polled', { account: { poll_error: 'no' } }, ['mailbox_unreadable']],
    ['neither opt-out nor footer in step 1', { steps: [{ ...FINE, body_html: 'Hi' }] }, ['no_opt_out']],
    ['an opt-out in one variant alone', { steps: [{ ...FINE, body_html_b: 'Hi' }] }, ['no_opt_out']],
    ['a signature that the account does not have', { steps: [{ ...FINE, body_html: `${FINE.body_html}{{signature}}` }] }, ['no_signature']],
    ['a choice that is not taken', { steps: [{ ...FINE, body_html: `{Hi|Hello} ${FINE.body_html}` }] }, ['spintax_off']],
    ['no choice where they are taken', { campaign: { spintax: true }, steps: [{ ...FINE, subject: '{A|B} {x|y}' }] }, []],
    ['no subject', { steps: [{ ...FINE, subject: '' }] }, ['no_subject']],
    ['a link that is not https', { steps: [{ ...FINE, body_html: `${FINE.body_html}<a href="http://a.example/">` }] }, ['link_not_https']],
    ['a link without its scheme', { steps: [{ ...FINE, body_html: `${FINE.body_html}<a href="www.example.com">x</a>` }] }, ['broken_link']],
    [
      'a link relative to a page that there is not',
      { steps: [{ ...FINE, body_html: `${FINE.body_html}<a href="/pricing">x</a>` }] },
      ['broken_link'],
    ],
    ['a link without an address', { steps: [{ ...FINE, body_html: `${FINE.body_html}<a href="">x</a>` }] }, ['broken_link']],
    [
      'a link that begins with two slashes',
      { steps: [{ ...FINE, body_html: `${FINE.body_html}<a href="//host.example/x">x</a>` }] },
      ['broken_link'],
    ],
    ['a link to a file', { steps: [{ ...FINE, body_html: `${FINE.body_html}<a href="prices.pdf">x</a>` }] }, ['broken_link']],
    [
      'an embedded image',
      { steps: [{ ...FINE, body_html: `${FINE.body_html}<img src="data:image/png;base64,iVBO">` }] },
      ['broken_link', 'looks_like_spam'],
    ],
    [
      'an image that should be attached',
      { steps: [{ ...FINE, body_html: `${FINE.body_html}<img src="cid:logo">` }] },
      ['broken_link', 'looks_like_spam'],
    ],
    ['a relative image', { steps: [{ ...FINE, body_html: `${FINE.body_html}<img src="logo.png">` }] }, ['broken_link', 'looks_like_spam']],
    ['a large body', { steps: [{ ...FINE, body_html: FINE.body_html + 'x'.repeat(100 * 1024) }] }, ['large_body']],
    ['a subject that filters dislike', { steps: [{ ...FINE, subject: 'FREE MONEY!!' }] }, ['looks_like_spam', 'looks_like_spam']],
    ['more emails than leave in 30 days', { account: { daily_send_limit: 1 }, contacts: Array(23).fill({}) }, ['takes_long']],
    // C4: with 5 sending days a week, 23 first emails or emails to one company take 33 days.
    ['a limit of first emails', { campaign: { new_contacts_per_day: 1 }, contacts: Array(23).fill({}) }, ['takes_long']],
    ['a limit for one company', { campaign: { max_per_company_per_day: 1 }, contacts: Array(23).fill({}) }, ['takes_long']],
    ['no company of a mailbox provider', { campaign: { max_per_company_per_day: 1 }, contacts: AT_GMAIL }, []],
    ['a limit that leaves room', { campaign: { new_contacts_per_day: 2, max_per_company_per_day: 2 }, contacts: Array(23).fill({}) }, []],
  ])('warns of %s', async (_, world, expected) => {
    expect(codes(await check(world))).toEqual(expected);
  });

  it('warns that nobody can opt out where the mailbox is not read and no public address is set', async () => {
    const installation = { ...app, config: { ...app.config, publicUrl: null } };
    expect(codes(await check({ account: { imap: null }, installation }))).toEqual(['nobody_can_opt_out!', 'replies_not_polled']);
    expect(codes(await check({ installation }))).toEqual([]);
  });

  it('takes the footer of the workspace for a way out, unless the campaign has none; and misses the postal address', async () => {
    await app.db.query(sql`update workspaces set footer_html = '{{unsubscribe_url}}', postal_address = null where id = 1`);
    try {
      const steps = [{ ...FINE, body_html: 'Hi' }];
      expect(codes(await check({ steps }))).toEqual(['no_postal_address']);
      expect(codes(await check({ steps, campaign: { footer: false } }))).toEqual(['no_opt_out', 'no_postal_address']);
    } finally {
      await app.db.query(sql`update workspaces set footer_html = null, postal_address = 'Acme, 1 Main St' where id = 1`);
    }
  });

  it('is not of a campaign that the caller may not see', async () => {
    await expect(checkCampaign(app, caller, 999_999)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('windows that differ', () => {
  const now = new Date('2026-07-07T12:00:00Z');
  const window = (startHour: number, endHour: number, timezone = 'UTC', days: number[] | null = null) => ({
    timezone,
    startHour,
    endHour,
    days,
  });
  it.each([
    [window(9, 17, 'UTC', [1, 2]), window(8, 18), null],
    [window(9, 17), window(9, 17), null],
    [window(22, 4), window(20, 6), null],
    [window(22, 4), window(0, 24), null],
    [window(9, 17, 'America/New_York'), window(0, 24, 'Europe/Berlin'), null],
    [window(0, 24), window(0, 24, 'Europe/Berlin'), null],
    [window(9, 17), window(10, 18), 'while both are open'],
    [window(9, 17, 'Europe/Berlin'), window(9, 17), 'while both are open'],
    [window(22, 4), window(8, 18), 'never overlap'],
    [window(9, 17, 'Asia/Tokyo'), window(9, 17, 'America/New_York'), 'never overlap'],
  ])('campaign %j, account %j: %s', (campaign, account, words) => {
    const warnings = windowWarnings(campaign, account, now).map(({ message }) => message);
    expect(warnings).toEqual(words === null ? [] : [expect.stringContaining(words)]);
  });
});

describe('signs of spam', () => {
  it.each([
    ['A question, {{NAME}}', '<p>Hello</p>', []],
    ['ACME GmbH', 'x', []],
    ['BUY IT TODAY', 'x', ['the subject is in capitals']],
    ['Free $$$', 'x', ['the subject repeats punctuation or currency signs']],
    ['Re: our call', 'x', ['the subject pretends to be a reply']],
    ['Hi', '<a href="https://bit.ly/x">x</a>', ['a link goes through a URL shortener']],
    ['Hi', '<img src="https://a.example/x.png">', ['the body is an image with almost no text']],
    ['Hi', '<form>', ['the body has a form, script or frame']],
  ])('%s, %s: %j', (subject, body, signs) => {
    expect(spamSigns(subject, body)).toEqual(signs);
  });
});
