import { expect, it } from 'vitest';
import { createCustomField } from '../../src/contacts/index.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { claimEmails } from '../../src/sending/email/claim.ts';
import { loadCampaignStates } from '../../src/sending/state/campaign-states.ts';
import { testInstallation } from '../support/database.ts';
import { startSender } from '../support/sender.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

const installation = await testInstallation();
const { app, clock } = installation;

it.each([
  ['one group for both variants', {}, [null]],
  ['one for each, if B has hours of its own', { ab_test_enabled: true, sending_hour_start_b: 18, sending_hour_end_b: 20 }, [false, true]],
])('what is due and when the next falls due, as if all that waits were read: %s', async (_, campaign, groups) => {
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  const { accountId, campaignId } = await startSender(installation, sink, { campaign, contacts: Array.from({ length: 120 }, () => ({})) });
  const now = clock.now();
  for (let seed = 0; seed < 12; seed++) {
    // Due times and holds before and after now, or none; later rounds have fewer ready enrolments, and no A or no B.
    await app.db.query(sql`
      update enrolments set
        variant = case when ${seed % 3}::int = 0 then null when ${seed % 3}::int = 1 then 'B' else (array['A', 'B'])[1 + id % 2] end,
        due_at = case when (id * 7 + ${seed}::int) % 5 > 0 then ${now}::timestamptz + make_interval(mins => (id * 37 + ${seed}::int * 13) % 600 - 60 + ${seed}::int * 10) end,
        held_until = case when (id + ${seed}::int) % 4 = 0 then ${now}::timestamptz + make_interval(mins => (id * 53) % 400 - 200) end
      where campaign_id = ${campaignId}`);
    const expected = await app.db.query<{ is_b: boolean | null; due: number; next_due: string | null }>(sql`
      select b.is_b, (count(*) filter (where greatest(due_at, held_until) <= ${now}))::int as due,
        min(greatest(due_at, held_until)) filter (where greatest(due_at, held_until) > ${now}) as next_due
      from unnest(${groups}::boolean[]) b (is_b)
      left join enrolments e on e.campaign_id = ${campaignId} and e.due_at is not null
        and (b.is_b is null or (e.variant is not distinct from 'B') = b.is_b)
      group by 1 order by 1`);
    const [state] = await loadCampaignStates(app.db, accountId, now, 1_000);
    expect(
      state?.groups.map(({ isB, due, nextDue }) => ({ is_b: isB, due, next_due: nextDue?.toISOString() ?? null })),
      `round ${seed}`,
    ).toEqual(expected.map((row) => ({ ...row, next_due: row.next_due === null ? null : new Date(row.next_due).toISOString() })));
  }
  await sink.close();
});

it('each campaign of a mailbox is found by its enrolments too, when the campaign has another mailbox by now', async () => {
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  const [one, other, third] = [
    await startSender(installation, sink),
    await startSender(installation, sink),
    await startSender(installation, sink),
  ];
  const campaigns = [one.campaignId, other.campaignId, third.campaignId];
  await app.db.query(sql`update enrolments set account_id = ${third.accountId} where campaign_id = any(${campaigns}::int[])`);
  const found = await loadCampaignStates(app.db, third.accountId, clock.now(), 10);
  expect(found.map(({ id, groups }) => [id, groups[0]?.due])).toEqual(campaigns.map((id) => [id, 1]));
  await sink.close();
});

it('the same in each zone that contacts name, and what is claimed of some of them is what comes first there: follow-ups, then the oldest', async () => {
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  await createCustomField(app, installation.caller, { name: 'Timezone', field_type: 'text' });
  const { accountId, campaignId } = await startSender(installation, sink, {
    steps: [{}, { wait_days: 1 }],
    campaign: { use_contact_timezone: true, timezone: 'UTC' },
    contacts: Array.from({ length: 120 }, () => ({})),
  });
  const now = clock.now();
  const random = seededRandom(7);
  for (let round = 0; round < 12; round++) {
    await app.db.query(sql`delete from outbox where campaign_id = ${campaignId}`);
    await app.db.query(sql`
      update enrolments set
        variant = case when ${round % 2}::int = 1 then (array['A', 'B', null])[1 + id % 3] end,
        timezone = (array['Europe/Berlin', 'Asia/Tokyo', 'Mars/Phobos', null, 'UTC'])[1 + (id / 3 + ${round}::int) % 5],
        last_sent_step = (id / 2) % 2, current_step = 1 + (id / 2) % 2,
        due_at = case when (id * 7 + ${round}::int) % 5 > 0 then ${now}::timestamptz + make_interval(mins => (id * 37 + ${round}::int * 13) % 600 - 400) end,
        held_until = case when (id + ${round}::int) % 4 = 0 then ${now}::timestamptz + make_interval(mins => (id * 53) % 400 - 200) end
      where campaign_id = ${campaignId}`);
    const rows = await app.db.query<{ id: number; is_b: boolean; zone: string; follow_up: boolean; ready: Date }>(sql`
      select id, variant is not distinct from 'B' as is_b, coalesce(timezone, '') as zone, last_sent_step > 0 as follow_up,
        greatest(due_at, held_until) as ready
      from enrolments where campaign_id = ${campaignId} and due_at is not null order by last_sent_step > 0 desc, due_at, id`);
    const waiting = rows.map((row) => ({ ...row, ready: new Date(row.ready) }));
    const [state] = await loadCampaignStates(app.db, accountId, now, 1_000);
    const groups = state?.groups ?? [];
    expect(groups.flatMap(({ zones }) => zones ?? []).length, `round ${round}`).toBe(
      new Set(waiting.map((row) => `${row.zone} ${row.is_b}`)).size,
    );
    const inGroups = (chosen: typeof groups) =>
      waiting.filter((row) => chosen.some(({ isB, zones }) => isB === row.is_b && zones?.includes(row.zone)));
    for (const group of groups) {
      const ofGroup = inGroups([group]);
      const later = ofGroup.filter(({ ready }) => ready > now).map(({ ready }) => ready.getTime());
      expect([group.due, group.nextDue?.getTime()], `round ${round}`).toEqual([
        ofGroup.filter(({ ready }) => ready <= now).length,
        later.length === 0 ? undefined : Math.min(...later),
      ]);
    }
    const open = groups.filter(() => random.integer(0, 1) === 1);
    const count = random.integer(1, 40);
    const claimed = await claimEmails(app, {
      account: { id: accountId, email: 'me@example.com', hasRefusedFollowUp: false },
      allocation: { campaignId, count, groups: open },
    });
    const expected = inGroups(open).filter(({ ready }) => ready <= now);
    expect(
      claimed.map((mail) => mail.enrolment_id).sort((a, b) => a - b),
      `round ${round}`,
    ).toEqual(
      expected
        .slice(0, count)
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    );
  }
  await sink.close();
});
