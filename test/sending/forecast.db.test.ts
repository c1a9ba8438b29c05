import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeCampaign, listEnrolments } from '../../src/campaigns/index.ts';
import { createCustomField } from '../../src/contacts/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { explainCampaign, type ForecastRow, forecastCampaign } from '../../src/sending/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type Sender, startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  sink = await startSmtpSink({ users: { me: 'secret' } });
  await createCustomField(installation.app, installation.caller, { name: 'Timezone', field_type: 'text' });
});
afterAll(() => sink?.close());

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Mars/Phobos', undefined];
const contacts = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const timezone = ZONES[index % ZONES.length];
    return { email: `${name}-${index}@example.org`, custom_fields: timezone === undefined ? {} : { timezone } };
  });

/** Moves the clock from batch to batch, as the daemon would run them, for two months or until nothing is planned. */
async function sendEverything(sender: Sender): Promise<void> {
  const { app, clock } = installation;
  const end = clock.now().getTime() + 60 * DAY;
  for (let batches = 0; batches < 500; batches++) {
    const [account] = await app.db.query<{ next_batch_at: string | null }>(
      sql`select next_batch_at from accounts where id = ${sender.accountId}`,
    );
    if (account?.next_batch_at == null) return;
    const at = new Date(account.next_batch_at);
    if (at.getTime() > end) return;
    if (at > clock.now()) clock.set(at);
    await sender.batch();
  }
  throw new Error('the account never came to rest');
}

const sentOf = (campaignId: number) =>
  installation.app.db.query<Pick<ForecastRow, 'email' | 'step_order' | 'send_at'>>(sql`
    select t.email, v.step_order, to_char(v.at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as send_at
    from events v join contacts t on t.id = v.contact_id where v.campaign_id = ${campaignId} and v.type = 'sent' order by v.at, v.id`);

const inOrder = (rows: readonly Pick<ForecastRow, 'email' | 'step_order' | 'send_at'>[]) =>
  rows.map(({ email, step_order, send_at }) => `${send_at} step ${step_order} ${email}`).sort();

describe('the forecast', () => {
  it('is what is then really sent: two campaigns, zones, a warm-up, waits and days off over a clock change', async () => {
    const { app, caller, clock } = installation;
    // Thursday; Berlin leaves summer time on Sunday, New York a week later.
    clock.set('2026-10-22T06:30:00Z');
    const steps = [{ subject: 'One' }, { wait_days: 2 }, { wait_days: 3, body_html: 'Bye' }];
    const first = await startSender(installation, sink, {
      account: {
        ...{ timezone: 'Europe/Berlin', send_window_start_hour: 8, send_window_end_hour: 23, send_batch_interval_minutes: 35 },
        ...{ send_batch_min: 2, send_batch_max: 2, daily_send_limit: 12, ramp_start: 5, ramp_increment: 2, ramp_ceiling: 11 },
      },
      campaign: { use_contact_timezone: true, timezone: 'Europe/Berlin', sending_hour_start: 9, sending_hour_end: 16 },
      steps,
      contacts: contacts('zones', 11),
    });
    const second = await startSender(installation, sink, {
      campaign: {
        timezone: 'America/New_York',
        sending_days: [1, 3, 5],
        ab_test_enabled: true,
        sending_hour_start_b: 12,
        sending_hour_end_b: 14,
      },
      steps: steps.slice(0, 2),
      contacts: contacts('york', 8),
    });
    await changeCampaign(app, caller, second.campaignId, { account_id: first.accountId });
    const campaigns = [first.campaignId, second.campaignId];
    const forecasts = [];
    for (const id of campaigns) forecasts.push(await forecastCampaign(app, caller, id, 200));
    const [next] = forecasts[0] ?? [];
    expect((await explainCampaign(app, caller, first.campaignId)).next_send_at).toBe(next?.send_at);
    const enrolments = await listEnrolments(app, caller, first.campaignId, { limit: 50, offset: 0 });

    await sendEverything(first);
    for (const [index, id] of campaigns.entries()) expect(inOrder(await sentOf(id))).toEqual(inOrder(forecasts[index] ?? []));
    // Tokyo's window overlaps the account's by an hour in summer, but not in winter: its two contacts get step 1 and then wait.
    expect((forecasts[0] ?? []).length + (forecasts[1] ?? []).length).toBe(9 * 3 + 2 + 8 * 2);
    // No email is sent before its next_send_at.
    for (const { email, next_send_at } of enrolments.data) {
      const sent = (await sentOf(first.campaignId)).find((row) => row.email === email);
      if (sent !== undefined) expect(sent.send_at >= (next_send_at ?? '9')).toBe(true);
    }
  });

  it('is the same each time, and changes nothing', async () => {
    const { app, caller, clock } = installation;
    clock.set('2026-07-07T12:00:00Z');
    const sender = await startSender(installation, sink, {
      account: { send_batch_min: 1, send_batch_max: 9 },
      contacts: contacts('again', 20),
    });
    const before = await app.db.query(sql`select * from accounts where id = ${sender.accountId}`);
    const forecast = await forecastCampaign(app, caller, sender.campaignId, 200);
    expect(await forecastCampaign(app, caller, sender.campaignId, 200)).toEqual(forecast);
    expect(await app.db.query(sql`select * from accounts where id = ${sender.accountId}`)).toEqual(before);
    expect(await forecastCampaign(app, caller, sender.campaignId, 7)).toEqual(forecast.slice(0, 7));
  });
});
