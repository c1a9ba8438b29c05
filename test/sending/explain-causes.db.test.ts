import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT_STATUSES, PAUSE_REASONS } from '../../src/accounts/words.ts';
import { holdForProviders, placementOf } from '../../src/campaigns/enrolments/provider-match.ts';
import { CAMPAIGN_STATUSES, COLLEAGUE_REPLIED, holdForCompany } from '../../src/campaigns/index.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { join, raw, sql } from '../../src/db/statement.ts';
import { OUTBOX_STATES } from '../../src/outbox/states.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertMail, insertRow } from '../support/rows.ts';

/** Each cause that prevents an email from being sent, created one by one in a campaign that would send. `explain` reports each. */

let installation: TestInstallation;

beforeAll(async () => {
  installation = await testInstallation();
});
beforeEach(() => installation.clock.set(TEST_START));

/** An active campaign with a due contact, and its account. */
interface Scene {
  account: number;
  campaign: number;
  enrolment: { id: number; contactId: number; campaignId: number };
}

const at = (milliseconds: number) => new Date(installation.clock.now().getTime() + milliseconds);
const set = (table: string, id: number, values: Record<string, unknown>) =>
  installation.app.db.query(
    sql`update ${raw(table)} set ${join(Object.entries(values).map(([column, value]) => sql`${raw(column)} = ${value}`))} where id = ${id}`,
  );
const account = (values: Record<string, unknown>) => (scene: Scene) => set('accounts', scene.account, values);
const campaign = (values: Record<string, unknown>) => (scene: Scene) => set('campaigns', scene.campaign, values);
const enrolment = (values: () => Record<string, unknown>) => (scene: Scene) => set('enrolments', scene.enrolment.id, values());
/** Puts the contact's email into this state, so that nothing is due. */
const email = (state: string) => async (scene: Scene) => {
  await insertMail(installation.app, scene.enrolment, { state, accepted_at: null, transmitting_at: at(0) });
  await set('enrolments', scene.enrolment.id, { due_at: null });
};

type Row = [cause: string, arrange: (scene: Scene) => Promise<unknown>, sentence: RegExp];

const ROWS: Row[] = [
  ['campaign draft', campaign({ status: 'draft' }), /^The campaign is a draft; activate it to start\.$/],
  ['campaign paused', campaign({ status: 'paused' }), /^The campaign is paused; resume it to continue\.$/],
  ['campaign completed', campaign({ status: 'completed' }), /^The campaign is completed/],
  ['campaign archived', campaign({ status: 'paused', is_archived: true }), /^The campaign is archived; unarchive and activate it/],
  ['start', campaign({ starts_at: '2026-07-08T12:00:00Z' }), /^The campaign is scheduled to start at 2026-07-08 12:00 UTC\.$/],
  ['campaign zone', campaign({ timezone: 'Mars/Phobos' }), /^The campaign's time zone "Mars\/Phobos" is unknown to this machine/],
  [
    'campaign window',
    campaign({ sending_hour_start: 13 }),
    /^The campaign's sending window is closed; it opens at 2026-07-07 13:00 UTC\.$/,
  ],
  ['account window', account({ send_window_start_hour: 14 }), /^The sending window of .+ is closed; it opens at 2026-07-07 14:00 UTC\.$/],
  [
    'account paused: manual',
    account({ status: 'paused', pause_reason: 'manual' }),
    /was paused manually; resume it with: outreach account resume \d+$/,
  ],
  [
    'account paused: provider_limit',
    account({ status: 'paused', pause_reason: 'provider_limit', pause_message: '550 5.4.5 too many' }),
    /is paused until its next local day because its provider limits it: 550 5\.4\.5 too many\.$/,
  ],
  [
    'account paused: provider_error',
    account({ status: 'paused', pause_reason: 'provider_error', pause_message: '535 no' }),
    /is paused: 535 no\. When this is fixed, resume it with/,
  ],
  [
    'account disconnected',
    account({ status: 'disconnected', pause_reason: 'provider_error' }),
    /is disconnected: .+ Connect it again with/,
  ],
  ['account archived', account({ is_archived: true }), /is archived or deleted; choose another account for the campaign\.$/],
  ['account deleted', account({ deleted_at: TEST_START }), /is archived or deleted; choose another account for the campaign\.$/],
  [
    'former account paused',
    async (scene) => {
      const former = await insertAccount(installation.app, { status: 'paused', pause_reason: 'manual' });
      await set('enrolments', scene.enrolment.id, { account_id: former, last_sent_step: 1 });
    },
    /^1 contact waits for the account that emailed them before\. The account .+ was paused manually/,
  ],
  ['limit of 0', account({ daily_send_limit: 0 }), /has a daily limit of 0\.$/],
  [
    'daily limit',
    async (scene) => {
      await set('accounts', scene.account, { daily_send_limit: 3 });
      await installation.app.db.query(sql`insert into account_days (account_id, day, accepted) values (${scene.account}, '2026-07-07', 3)`);
    },
    /has reached its daily limit of 3 emails\.$/,
  ],
  [
    'interval',
    (scene) => set('accounts', scene.account, { last_batch_at: at(-MINUTE) }),
    /^The next batch of .+ is due at 2026-07-07 12:09 UTC/,
  ],
  [
    'interval, in the zone of the campaign as every time of its screen',
    async (scene) => {
      await set('campaigns', scene.campaign, { timezone: 'Europe/Berlin' });
      await set('accounts', scene.account, { last_batch_at: at(-MINUTE) });
    },
    /^The next batch of .+ is due at 2026-07-07 14:09 Europe\/Berlin, 10 minutes after the last one\.$/,
  ],
  [
    'minute limit',
    (scene) => set('accounts', scene.account, { minute_send_limit: 1, send_batch_max: 30, last_batch_at: at(-11 * MINUTE) }),
    /sends at most 1 email a minute; its batch may last until/,
  ],
  [
    'no connection',
    (scene) => set('accounts', scene.account, { connection_failures: 2, connection_error: 'ECONNREFUSED', connect_after: at(HOUR) }),
    /waits because 2 connections in a row to its mail server failed: ECONNREFUSED\. The next attempt is due at 2026-07-07 13:00 UTC\.$/,
  ],
  [
    'unreadable mailbox',
    async (scene) => {
      const server = '{"host": "i", "port": 1}';
      await set('accounts', scene.account, { smtp: server, imap: server, poll_error: 'timeout', next_poll_at: at(HOUR) });
      await set('enrolments', scene.enrolment.id, { last_sent_step: 1 });
    },
    /^Follow-ups wait because the mailbox of .+ cannot be polled: timeout\. The next attempt is due at 2026-07-07 13:00 UTC\.$/,
  ],
  [
    'no email step',
    (scene) => installation.app.db.query(sql`update steps set deleted_at = now() where campaign_id = ${scene.campaign}`),
    /^The campaign has no email step; add one to continue\.$/,
  ],
  [
    'unknown placeholder',
    enrolment(() => ({ hold_kind: 'content', content_fault: 'unknown placeholder {{x}}', content_version: 'v', due_at: null })),
    /^1 contact is held at step 1: unknown placeholder \{\{x\}\}\. To continue, change the step/,
  ],
  [
    'absence',
    enrolment(() => ({ held_until: at(3 * DAY), hold_reason: 'automatic reply: Away' })),
    /^1 contact is held until 20\d\d-\d\d-\d\d \d\d:\d\d \S+: automatic reply: Away\.$/,
  ],
  ['wait', enrolment(() => ({ due_at: at(DAY) })), /^No email is due yet: every contact is waiting for its next step\.$/],
  [
    'public holiday',
    async (scene) => {
      installation.clock.set(new Date('2026-07-14T12:00:00Z'));
      await set('campaigns', scene.campaign, { holidays: 'FR' });
    },
    /^Today is .+, a public holiday of FR; the campaign's sending window opens at 2026-07-15 09:00 UTC\.$/,
  ],
  [
    'several windows',
    campaign({ sending_hour_start: 9, sending_hour_end: 11, more_hours: ['14-17'] }),
    /^The campaign's sending window is closed; it opens at 2026-07-07 14:00 UTC\.$/,
  ],
  [
    'new_contacts_per_day',
    async (scene) => {
      await set('campaigns', scene.campaign, { new_contacts_per_day: 1 });
      const other = await insertEnrolment(installation.app, scene.campaign, { due_at: null, last_sent_step: 1 });
      await insertMail(installation.app, other, { state: 'accepted', is_first: true, counts_on: '2026-07-07' });
    },
    /^The campaign has reached its limit of 1 first email a day \(new_contacts_per_day\); more are sent from 2026-07-08 00:00 UTC on\.$/,
  ],
  [
    'max_per_company_per_day',
    ({ enrolment: { id } }) => installation.app.db.tx((tx) => holdForCompany(tx, [id], at(DAY), 'acme.example', 2)),
    /^1 contact is held until 20\d\d-\d\d-\d\d \d\d:\d\d \S+: acme\.example has had its 2 emails of the day \(max_per_company_per_day\)\.$/,
  ],
  [
    'provider_match',
    ({ enrolment: { id } }) => {
      const { hold } = placementOf({ domain: 'acme.com', provider: 'google' }, 'require', [], []);
      const held = new Map([[hold ?? '', [id]]]);
      return installation.app.db.tx((tx) => holdForProviders(tx, sql`e.id = ${id}`, 'id', held, at(0)));
    },
    /^1 contact is held: no account of the group sends from Google, where acme\.com has its email\.$/,
  ],
  [
    'stop_company',
    enrolment(() => ({ status: 'stopped', stop_reason: COLLEAGUE_REPLIED, due_at: null })),
    /^1 contact was stopped because somebody else at the company replied \(stop_company\)\.$/,
  ],
  [
    'business days',
    async (scene) => {
      await set('enrolments', scene.enrolment.id, { due_at: at(DAY) });
      await set('campaigns', scene.campaign, { holidays: 'FR' });
      await installation.app.db.query(sql`update steps set business_days = true, wait_days = 1 where campaign_id = ${scene.campaign}`);
    },
    /^No email is due yet: .+, and waits in business days leave out weekends and the public holidays of FR\.$/,
  ],
  ['email claimed', email('claimed'), /^1 email is being sent now\.$/],
  ['email transmitting', email('transmitting'), /^1 email is being sent now\.$/],
  ['email uncertain', email('uncertain'), /^The delivery of 1 email is unknown; see: outreach outbox list --uncertain$/],
  ['email unknown', email('unknown'), /^The delivery of 1 email is unknown; see: outreach outbox list --uncertain$/],
  [
    'email retry',
    async (scene) => {
      await email('retry')(scene);
      await set('enrolments', scene.enrolment.id, { due_at: at(HOUR) });
    },
    /^No email is due yet/,
  ],
  [
    'email failed',
    async (scene) => {
      await email('failed')(scene);
      await set('enrolments', scene.enrolment.id, { status: 'stopped', stop_reason: 'size' });
    },
    /^No contact is left in the sequence: all have ended\.$/,
  ],
  [
    'call',
    async (scene) => {
      const [step] = await installation.app.db.query<{ id: number }>(sql`select id from steps where campaign_id = ${scene.campaign}`);
      await insertRow(installation.app, 'call_tasks', {
        ...{ workspace_id: 1, campaign_id: scene.campaign, enrolment_id: scene.enrolment.id, step_id: step?.id },
        ...{ status: 'pending', due_at: at(0), created_at: at(0) },
      });
      await set('enrolments', scene.enrolment.id, { due_at: null });
    },
    /^1 call is due; see: outreach call list$/,
  ],
  [
    'suppressed',
    enrolment(() => ({ status: 'stopped', stop_reason: 'suppressed', due_at: null })),
    /^1 contact is suppressed and stopped\.$/,
  ],
  [
    'nobody enrolled',
    (scene) => installation.app.db.query(sql`delete from enrolments where campaign_id = ${scene.campaign}`),
    /^No contact is enrolled; enrol one to continue\.$/,
  ],
];

describe('every cause that keeps an email from leaving is named', () => {
  it('nothing, where it leaves', async () => {
    const { app, caller } = installation;
    expect((await explainCampaign(app, caller, (await scene()).campaign)).reasons).toEqual([]);
  });

  it.each(ROWS)('%s', async (_, arrange, sentence) => {
    const { app, caller } = installation;
    const made = await scene();
    await arrange(made);
    const { reasons } = await explainCampaign(app, caller, made.campaign);
    expect(reasons).toContainEqual(expect.stringMatching(sentence));
  });

  it('and no state of the program lacks a row', () => {
    const causes = [
      ...CAMPAIGN_STATUSES.filter((status) => status !== 'active').map((status) => `campaign ${status}`),
      ...ACCOUNT_STATUSES.filter((status) => status === 'disconnected').map((status) => `account ${status}`),
      ...PAUSE_REASONS.map((reason) => `account paused: ${reason}`),
      ...OUTBOX_STATES.filter((state) => state !== 'accepted').map((state) => `email ${state}`),
    ];
    const rows = ROWS.map(([cause]) => cause);
    expect(causes.filter((cause) => !rows.includes(cause))).toEqual([]);
    expect([ACCOUNT_STATUSES.length, new Set(rows).size]).toEqual([3, rows.length]);
  });
});

async function scene(): Promise<Scene> {
  const { app } = installation;
  const id = await insertAccount(app, { timezone: 'UTC' });
  const campaignId = await insertCampaign(app, { account_id: id });
  return { account: id, campaign: campaignId, enrolment: await insertEnrolment(app, campaignId, { due_at: app.clock.now() }) };
}
