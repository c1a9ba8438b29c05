import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { dueBatches, getAccount } from '../../src/accounts/index.ts';
import { changeCampaign, listEnrolments, previewCampaign } from '../../src/campaigns/index.ts';
import { changeContact, createCustomField } from '../../src/contacts/index.ts';
import { roomFor } from '../../src/core/room.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { listOutbox } from '../../src/outbox/index.ts';
import { explainCampaign, forecastCampaign, recoverOutbox, resolveOutbox, resumeLimitedAccounts } from '../../src/sending/index.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { enrolmentsOf, startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  sink = await startSmtpSink({ users: { me: 'secret' } });
  await createCustomField(installation.app, installation.caller, { name: 'Timezone', field_type: 'text' });
});
afterAll(() => sink?.close());
beforeEach(() => {
  installation.clock.set(TEST_START);
  sink.messages.length = 0;
});

const inZone = (timezone: string, email: string) => ({ email, custom_fields: { timezone } });
const sentTo = () => sink.messages.map(({ to }) => to[0]).sort();
const wholeDay = { send_window_start_hour: 0, send_window_end_hour: 24 };

describe('a campaign that goes by its contacts’ own time zones', () => {
  const contacts = () => [
    inZone('America/New_York', 'ny@example.org'),
    inZone('Asia/Tokyo', 'tokyo@example.org'),
    inZone('Mars/Phobos', 'mars@example.org'),
    { email: 'none@example.org' },
  ];

  it('writes to each in the campaign’s hours of their zone; without one, or one that is none, in those of the campaign', async () => {
    const { app, caller, clock } = installation;
    const sender = await startSender(installation, sink, {
      account: wholeDay,
      campaign: { use_contact_timezone: true, timezone: 'UTC' },
      contacts: contacts(),
    });
    const forecast = await forecastCampaign(app, caller, sender.campaignId, 10);
    expect(forecast.map(({ email, send_at }) => [email, send_at])).toEqual([
      ['mars@example.org', '2026-07-07 12:00:00'],
      ['none@example.org', '2026-07-07 12:00:00'],
      ['ny@example.org', '2026-07-07 13:00:00'],
      ['tokyo@example.org', '2026-07-08 00:00:00'],
    ]);
    const { data } = await listEnrolments(app, caller, sender.campaignId, { limit: 50, offset: 0 });
    expect(Object.fromEntries(data.map(({ email, next_send_at }) => [email, next_send_at]))).toEqual(
      Object.fromEntries(forecast.map(({ email, send_at }) => [email, send_at])),
    );
    await sender.batch();
    expect(sentTo()).toEqual(['mars@example.org', 'none@example.org']);
    const explanation = await explainCampaign(app, caller, sender.campaignId);
    expect(explanation).toMatchObject({
      reasons: ["The campaign's sending window in its contacts' time zones is closed; it opens at 2026-07-07 09:00 America/New_York."],
      next_send_at: '2026-07-07 13:00:00',
    });
    clock.set('2026-07-07T13:00:00Z');
    expect((await dueBatches(app, roomFor(20))).map(({ id }) => id)).toContain(sender.accountId);
    await sender.batch();
    clock.set('2026-07-08T00:00:00Z');
    await sender.batch();
    expect(sentTo()).toEqual(['mars@example.org', 'none@example.org', 'ny@example.org', 'tokyo@example.org']);
  });

  it('says in explain and in the preview which zones it does not know', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, {
      account: wholeDay,
      campaign: { use_contact_timezone: true, timezone: 'Asia/Tokyo' },
      contacts: [inZone('Mars/Phobos', 'phobos@example.org')],
    });
    const { notes } = await explainCampaign(app, caller, sender.campaignId);
    expect(notes).toEqual(['1 contact has an unknown time zone, for example "Mars/Phobos"; the campaign\'s time zone is used for them.']);
    const { warnings } = await previewCampaign(app, caller, sender.campaignId, sender.contactIds[0] ?? 0);
    expect(warnings).toContain('the contact\'s time zone "Mars/Phobos" is unknown; the campaign\'s time zone applies');
  });

  it('a zone that is changed or taken away counts for the next mail', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, {
      account: wholeDay,
      campaign: { use_contact_timezone: true },
      contacts: [inZone('Asia/Tokyo', 'moves@example.org')],
    });
    expect((await sender.batch()).sent).toBe(0);
    await changeContact(app, caller, sender.contactIds[0] ?? 0, { custom_fields: { timezone: 'Europe/Berlin' } });
    expect((await sender.batch()).sent).toBe(1);
  });

  it('is off by default: every contact gets mail in the hours of the campaign', async () => {
    const sender = await startSender(installation, sink, { account: wholeDay, contacts: [inZone('Asia/Tokyo', 'plain@example.org')] });
    expect((await sender.batch()).sent).toBe(1);
  });
});

describe('a zone that vanished from this machine’s database', () => {
  it('of a campaign holds that campaign, with the reason, and the others of the mailbox go on', async () => {
    const { app, caller } = installation;
    const lost = await startSender(installation, sink, { contacts: [{ email: 'lost@example.org' }] });
    const other = await startSender(installation, sink, { contacts: [{ email: 'other@example.org' }] });
    await changeCampaign(app, caller, lost.campaignId, { account_id: other.accountId });
    await app.db.query(sql`update campaigns set timezone = 'Mars/Phobos' where id = ${lost.campaignId}`);
    expect(await other.batch()).toEqual({ sent: 1, other: 0 });
    expect(sentTo()).toEqual(['other@example.org']);
    expect(await explainCampaign(app, caller, lost.campaignId)).toMatchObject({
      reasons: ['The campaign\'s time zone "Mars/Phobos" is unknown to this machine; choose another.'],
      next_send_at: null,
    });
    expect((await listEnrolments(app, caller, lost.campaignId, { limit: 1, offset: 0 })).data).toMatchObject([{ next_send_at: null }]);
    await changeCampaign(app, caller, lost.campaignId, { timezone: 'UTC' });
    installation.clock.advance(600_000);
    expect((await other.batch()).sent).toBe(1);
  });

  it('of an account pauses it with the reason', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink);
    await app.db.query(sql`update accounts set timezone = 'Mars/Phobos' where id = ${sender.accountId}`);
    expect(await sender.batch()).toEqual({ sent: 0, other: 0 });
    expect(await getAccount(app.db, caller, sender.accountId)).toMatchObject({
      status: 'paused',
      pause_reason: 'provider_error',
      pause_message: expect.stringContaining('"Mars/Phobos" is unknown to this machine'),
    });
    expect((await explainCampaign(app, caller, sender.campaignId)).reasons.join(' ')).toContain('Mars/Phobos');
  });

  it('of a limited account keeps no other from being resumed', async () => {
    const { app, clock } = installation;
    const [lost, other] = [await startSender(installation, sink), await startSender(installation, sink)];
    const ids = [lost.accountId, other.accountId];
    await app.db.query(sql`
      update accounts set status = 'paused', pause_reason = 'provider_limit', paused_at = ${clock.now()} where id = any(${ids}::int[])`);
    await app.db.query(sql`update accounts set timezone = 'Mars/Phobos' where id = ${lost.accountId}`);
    clock.set('2026-07-08T00:00:00Z');
    expect(await resumeLimitedAccounts(app)).toEqual([other.accountId]);
  });

  it('does not keep a mail that was sent from being recorded', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, { steps: [{}, { wait_days: 3 }] });
    sink.misbehave('data', 'drop', { times: 1 });
    await sender.batch();
    await recoverOutbox(app, { wasFetched, wasAnswered });
    await app.db.query(sql`update campaigns set timezone = 'Mars/Phobos' where id = ${sender.campaignId}`);
    const [unknown] = await listOutbox(app.db, operator(1), { uncertain: true, limit: 1 });
    await resolveOutbox(app, caller, unknown?.id ?? 0, 'sent');
    expect(await enrolmentsOf(installation, sender.campaignId)).toMatchObject([{ status: 'active', current_step: 2, hold_reason: null }]);
  });
});
