import { expect, it } from 'vitest';
import { sql } from '../../src/db.ts';
import { loadCampaignStates } from '../../src/sending/campaign-states.ts';
import { testInstallation } from '../support/database.ts';
import { startSender } from '../support/sender.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

const installation = await testInstallation();
const { app, clock } = installation;

it('what is due and when the next falls due, as if all that waits were read', async () => {
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  const { accountId, campaignId } = await startSender(installation, sink, { contacts: Array.from({ length: 120 }, () => ({})) });
  const now = clock.now();
  for (let seed = 0; seed < 12; seed++) {
    // Waits and holds in both directions of now, or none; later rounds leave less that is ready, and no A or no B.
    await app.db.query(sql`
      update enrolments set
        variant = case when ${seed % 3}::int = 0 then null when ${seed % 3}::int = 1 then 'B' else (array['A', 'B'])[1 + id % 2] end,
        due_at = case when (id * 7 + ${seed}::int) % 5 > 0 then ${now}::timestamptz + make_interval(mins => (id * 37 + ${seed}::int * 13) % 600 - 60 + ${seed}::int * 10) end,
        held_until = case when (id + ${seed}::int) % 4 = 0 then ${now}::timestamptz + make_interval(mins => (id * 53) % 400 - 200) end
      where campaign_id = ${campaignId}`);
    const expected = await app.db.query<{ is_b: boolean; due: number; next_due: string | null }>(sql`
      select b.is_b, (count(*) filter (where greatest(due_at, held_until) <= ${now}))::int as due,
        min(greatest(due_at, held_until)) filter (where greatest(due_at, held_until) > ${now}) as next_due
      from (values (false), (true)) b (is_b)
      left join enrolments e on e.campaign_id = ${campaignId} and e.due_at is not null and (e.variant is not distinct from 'B') = b.is_b
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
