import pg from 'pg';
import { dueBatches } from '../src/accounts/index.ts';
import type { App } from '../src/app.ts';
import { roomFor } from '../src/core/room.ts';
import { type Sql, sql } from '../src/db/statement.ts';
import { claimEmails } from '../src/sending/email/claim.ts';
import { planBatch } from '../src/sending/index.ts';
import { loadSendingAccount } from '../src/sending/state/account-state.ts';
import { loadCampaignStates } from '../src/sending/state/campaign-states.ts';
import { seedEnrolments, seedRunningAccounts } from './many-accounts.ts';
import type { Measurement } from './measure.ts';
import { sendingInstallation } from './sending.ts';
import { startSink } from './sink.ts';

export const ACCOUNTS = 1_000;
export const ENROLMENTS = 1_000_000;
/** Few enough for everything to be fast. */
const FEW_ENROLMENTS = 10_000;
/** As many as connections; the daemon runs 100 batches, most of which wait for a mail server. */
const CONCURRENCY = 20;
const ROUNDS = 3;

/**
 * One tick of 1,000 accounts whose campaigns have 1,000,000 active enrolments: find the due batches, and for each load its
 * campaigns, plan and claim. A third of the campaigns use their contacts' time zones, a third have other hours for variant B.
 * The ceiling is one bare statement per account that claims two rows of its campaign in a fixed order. The note gives the rate with a
 * hundredth of the enrolments.
 */
export const tickRow: Measurement = {
  name: 'tick',
  unit: 'accounts/s',
  rounds: ROUNDS,
  async prepare() {
    const sink = await startSink();
    const installation = await sendingInstallation();
    const { app } = installation;
    const { campaignId } = await seedTick(app, sink.port, FEW_ENROLMENTS);
    const few: number[] = [];
    for (let turn = 0; turn < ROUNDS; turn++) few.push((await steadyTick(app)).rate);
    await seedMany(app, campaignId, ENROLMENTS - FEW_ENROLMENTS);
    const bare = new pg.Pool({ connectionString: installation.databaseUrl, max: CONCURRENCY });
    await bare.query('create unlogged table bare_claims (enrolment_id integer not null, contact_id integer not null)');
    let claimed = 0;
    return {
      async ours() {
        const turn = await steadyTick(app);
        claimed = turn.claimed;
        return turn.rate;
      },
      ceiling: () => steadyBareTick(bare, campaignId, app.clock.now()),
      note: () =>
        `1M active enrolments, ${claimed} emails claimed in a tick; with 10K: ${Math.round(few.sort((a, b) => a - b)[1] ?? 0)} accounts/s`,
      async close() {
        await bare.end();
        await installation.remove();
        await sink.stop();
      },
    };
  },
};

/** The rules that planning and claiming check, enabled for every campaign. */
const RULES = sql`holidays = 'DE-BY', more_hours = '{18-20}', new_contacts_per_day = 100, max_per_company_per_day = 2`;
const NO_RULES = sql`holidays = null, more_hours = '{}', new_contacts_per_day = null, max_per_company_per_day = null`;
const RULED_ENROLMENTS = 300_000;

/** The same tick over 300,000 enrolments with further windows, holidays and both limits of a day; the ceiling is one without them. */
export const tickRulesRow: Measurement = {
  name: 'tick-rules',
  unit: 'accounts/s',
  rounds: ROUNDS,
  async prepare() {
    const sink = await startSink();
    const installation = await sendingInstallation();
    const { app } = installation;
    await seedTick(app, sink.port, RULED_ENROLMENTS);
    const under = async (rules: Sql) => {
      await app.db.query(sql`update campaigns set ${rules}`);
      // Contacts who were held because of the limit of their company.
      await app.db.query(sql`update enrolments set held_until = null, hold_reason = null where hold_reason is not null`);
      await app.db.query(sql`vacuum (analyze) campaigns`);
      return steadyTick(app);
    };
    const claimed = { on: 0, off: 0 };
    return {
      async ours() {
        const turn = await under(RULES);
        claimed.on = turn.claimed;
        return turn.rate;
      },
      async ceiling() {
        const turn = await under(NO_RULES);
        claimed.off = turn.claimed;
        return turn.rate;
      },
      note: () => `${RULED_ENROLMENTS} active enrolments; emails claimed in a tick: ${claimed.on}, without rules ${claimed.off}`,
      async close() {
        await installation.remove();
        await sink.stop();
      },
    };
  },
};

/** Creates accounts with campaigns of the three kinds, and this many enrolments. */
export async function seedTick(app: App, port: number, enrolments: number): Promise<{ accountId: number; campaignId: number }> {
  await app.db.query(sql`
    insert into contacts (workspace_id, name, email, created_at, updated_at) values (1, 'First', 'first@example.org', now(), now())`);
  await app.db.query(sql`
    insert into custom_fields (workspace_id, name, key, field_type, created_at) values (1, 'Time zone', 'timezone', 'text', now())`);
  const ids = await seedRunningAccounts(app, port, ACCOUNTS);
  await app.db.query(sql`
    update campaigns set use_contact_timezone = id % 3 = 1, sending_hour_start = 9, sending_hour_end = 17,
      sending_hour_start_b = case when id % 3 = 2 then 18 end, sending_hour_end_b = case when id % 3 = 2 then 22 end`);
  await seedEnrolments(app, ids.campaignId, ACCOUNTS, enrolments);
  return ids;
}

const seedMany = (app: App, campaignId: number, enrolments: number) => seedEnrolments(app, campaignId, ACCOUNTS, enrolments);

/**
 * One tick of a daemon that has run for a while: its connections have planned their statements since the tables were vacuumed, which makes
 * PostgreSQL plan all of them again.
 */
async function steadyTick(app: App): Promise<{ rate: number; claimed: number }> {
  await app.db.query(sql`vacuum (analyze) enrolments, outbox`);
  await tick(app);
  return tick(app);
}

/** One tick like the daemon's jobs, up to the first email; claims are released afterwards. */
async function tick(app: App): Promise<{ rate: number; claimed: number }> {
  await app.db.query(sql`update accounts set next_batch_at = ${app.clock.now()}`);
  let claimed = 0;
  const begin = performance.now();
  const due = await dueBatches(app, roomFor(2 * ACCOUNTS));
  await eachOf(
    due.map(({ id }) => id),
    async (id) => {
      const emails = await planAndClaim(app, id);
      claimed += emails;
    },
  );
  const seconds = (performance.now() - begin) / 1_000;
  await app.db.query(sql`update enrolments e set due_at = o.claimed_at from outbox o where o.enrolment_id = e.id`);
  await app.db.query(sql`delete from outbox`);
  return { rate: ACCOUNTS / seconds, claimed };
}

/** The work of `BatchRunner` before its first email. */
export async function planAndClaim(app: App, accountId: number): Promise<number> {
  const now = app.clock.now();
  const account = await loadSendingAccount(app, accountId);
  if (account === null) throw new Error(`account ${accountId} can't send`);
  const plan = planBatch(now, account, await loadCampaignStates(app.db, accountId, now, account.batchMax), app.random);
  let claimed = 0;
  for (const share of plan.allocations) {
    const emails = await claimEmails(app, { account, allocation: share });
    claimed += emails.length;
  }
  return claimed;
}

async function steadyBareTick(pool: pg.Pool, firstCampaign: number, now: Date): Promise<number> {
  await pool.query('vacuum (analyze) enrolments');
  await bareTick(pool, firstCampaign, now);
  return bareTick(pool, firstCampaign, now);
}

async function bareTick(pool: pg.Pool, firstCampaign: number, now: Date): Promise<number> {
  const begin = performance.now();
  await eachOf([...Array(ACCOUNTS).keys()], async (index) => {
    await pool.query({
      name: 'claim',
      text: `with due as (
          select id, contact_id from enrolments where campaign_id = $1 and status = 'active' and due_at <= $2
          order by (last_sent_step > 0) desc, due_at, id limit 2 for update skip locked
        ), taken as (update enrolments e set due_at = null from due where e.id = due.id)
        insert into bare_claims select id, contact_id from due`,
      values: [firstCampaign + index, now],
    });
  });
  const seconds = (performance.now() - begin) / 1_000;
  await pool.query('update enrolments e set due_at = $1 from bare_claims b where b.enrolment_id = e.id', [now]);
  await pool.query('truncate bare_claims');
  return ACCOUNTS / seconds;
}

async function eachOf(ids: readonly number[], work: (id: number) => Promise<void>): Promise<void> {
  const queue = ids.values();
  const worker = async () => {
    for (const id of queue) await work(id);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
