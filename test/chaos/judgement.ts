import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { sql } from '../../src/db/statement.ts';
import { campaignCounts } from '../../src/events/index.ts';
import { emailKey, judge, readLedger, type Verdict } from '../support/ledger.ts';
import { debianPostgres } from '../support/postgres.ts';
import type { TakenEmail } from './sinks.ts';
import type { Traffic } from './traffic.ts';
import { CANARY, SMALL_LIMIT, type World } from './world.ts';

/** One rule that must be true after every run: its violations, and the cases that were checked. */
export interface Rule {
  rule: string;
  violations: string[];
  /** The number of checked cases. */
  cases: number;
  /** True if the rule applies only after everything is settled and read. */
  needsRest?: boolean;
}

export interface Judgement {
  verdict: Verdict;
  rules: Rule[];
}

/** Judges a run by the contents of the servers and the tables, never only by the program's own statements. */
export async function judgeRun(world: World, traffic: Traffic, listedAsUncertain: readonly string[]): Promise<Judgement> {
  const taken = world.sinks.flatMap((sink) => sink.taken());
  const ledger = await readLedger(world.app);
  const verdict = judge(
    taken.map(({ key }) => key),
    ledger,
  );
  const unknown = ledger.filter(({ state }) => state === 'unknown').map(({ recipient }) => recipient);
  const rules: Rule[] = [
    { rule: 'nobody gets an email twice (by recipient and step)', violations: verdict.doubled, cases: taken.length },
    { rule: 'nobody gets an email twice (by X-Entity-Ref-ID)', violations: repeated(taken.map(referenceOf)), cases: taken.length },
    { rule: 'what is sent by the ledger has arrived', violations: verdict.lost, cases: verdict.sent },
    {
      rule: 'what has arrived is sent, or its delivery is unknown, by the ledger',
      violations: verdict.unexplained,
      cases: taken.length,
      needsRest: true,
    },
    {
      rule: 'no email stays open',
      violations: difference(verdict.open, await waitingForTomorrow(world)),
      cases: ledger.length,
      needsRest: true,
    },
    {
      rule: 'outbox list --uncertain names every unknown one',
      violations: difference(unknown, listedAsUncertain),
      cases: unknown.length,
      needsRest: true,
    },
    optOutsHold(traffic, taken),
    ...(await rulesOfTables(world)),
    await answersAreRead(world, traffic),
    await webhooksAreDelivered(world),
    { rule: 'no daemon ends by itself', violations: world.fleet.surprises, cases: world.fleet.logs.length },
    noPasswordInLogs(world),
    databaseIsSound(world),
  ];
  return { verdict, rules };
}

/** Finds emails that will be retried when an account that has reached its daily limit sends again. */
async function waitingForTomorrow({ app, accounts }: World): Promise<string[]> {
  const limited = [...accounts].filter(([, { isLimited }]) => isLimited).map(([id]) => id);
  const rows = await app.db.query<{ recipient: string; step_order: number }>(
    sql`select recipient, step_order from outbox where state = 'retry' and account_id = any(${limited}::int[])`,
  );
  return rows.map(({ recipient, step_order: step }) => emailKey(recipient, step));
}

const referenceOf = ({ raw }: TakenEmail): string => /^X-Entity-Ref-ID: (\S+)/m.exec(raw)?.[1] ?? 'none';

const repeated = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value, index + 1) > -1)),
];

const difference = (these: readonly string[], those: readonly string[]): string[] => {
  const present = new Set(those);
  return these.filter((one) => !present.has(one));
};

function optOutsHold({ optOuts }: Traffic, taken: readonly TakenEmail[]): Rule {
  const permitted = new Map(optOuts.map((one) => [one.email, one.permitted]));
  const wrong = taken.filter(({ to, key }) => permitted.get(to)?.has(key) === false).map(({ key }) => key);
  return { rule: 'nobody who was suppressed is written to afterwards', violations: wrong, cases: optOuts.length };
}

/** Checks that the tables are consistent with each other. */
async function rulesOfTables({ app, accounts }: World): Promise<Rule[]> {
  const limited = [...accounts].filter(([, { isLimited }]) => isLimited).map(([id]) => id);
  const found = async (rule: string, query: Parameters<typeof app.db.query>[0]): Promise<Rule> => {
    const rows = await app.db.query<{ what: string }>(query);
    return { rule, violations: rows.map(({ what }) => what), cases: (await readLedger(app)).length };
  };
  return [
    await found(
      'each accepted email has one event, and no other has any',
      sql`select coalesce(o.id::text, 'event ' || e.enrolment_id || ' ' || e.step_order) as what
        from (select * from outbox where state = 'accepted') o
        full join (select enrolment_id, step_order, count(*) as count from events where type = 'sent' group by 1, 2) e
          on e.enrolment_id = o.enrolment_id and e.step_order = o.step_order
        where o.id is null or e.count is distinct from 1`,
    ),
    await found(
      'the statistics of campaigns count their events',
      sql`select n.campaign_id::text as what from (${campaignCounts(sql`select id from campaigns`)}) n where n.sent is distinct from
        (select count(*) from events e where e.campaign_id = n.campaign_id and e.type = 'sent')`,
    ),
    await found(
      `an account sends no more a day than it may (${SMALL_LIMIT} for one of them)`,
      sql`select account_id || ' on ' || (transmitting_at at time zone 'UTC')::date as what from outbox
        where account_id = any(${limited}::int[]) and transmitting_at is not null and state <> 'retry'
        group by account_id, (transmitting_at at time zone 'UTC')::date having count(*) > ${SMALL_LIMIT}`,
    ),
    {
      ...(await found(
        'no account is left paused or held by a daemon',
        sql`select id || ' ' || status || coalesce(' ' || batch_worker, '') as what from accounts where status <> 'active' or batch_worker is not null`,
      )),
      needsRest: true,
    },
    await found(
      'every suppression has an audit entry',
      sql`select email as what from suppressions s where not exists
        (select from audit_log a where a.resource_type = 'suppression' and a.action = 'suppression.add' and a.resource_id = s.id)`,
    ),
  ];
}

/** Every answer is recorded once, even if the connection that it was read over broke. */
async function answersAreRead({ app }: World, { answers }: Traffic): Promise<Rule> {
  const rows = await app.db.query<{ email: string; count: number }>(sql`
    select c.email, count(*)::int as count from events e join contacts c on c.id = e.contact_id where e.type = 'replied' group by c.email`);
  const counts = new Map(rows.map(({ email, count }) => [email, count]));
  const wrong = [...answers].filter((email) => counts.get(email) !== 1).map((email) => `${email}: ${counts.get(email) ?? 0} times`);
  return { rule: 'every answer is recorded once', violations: wrong, cases: answers.size, needsRest: true };
}

/** Every answer is delivered to the receiver, signed. A repeated delivery has the same id. */
async function webhooksAreDelivered({ app, webhook }: World): Promise<Rule> {
  const events = await app.db.query<{ id: number }>(sql`select id from events where type = 'replied'`);
  const ids = new Set(webhook.receiver.received.map(({ headers }) => String(headers['webhook-id'])));
  const missing = ids.size === events.length ? [] : [`${events.length} answers, ${ids.size} webhook messages`];
  return {
    rule: 'every answer is told by webhook, signed',
    violations: [...webhook.unsigned, ...missing],
    cases: events.length,
    needsRest: true,
  };
}

function noPasswordInLogs({ fleet }: World): Rule {
  const wrong = fleet.logs.flatMap((log) => log.split('\n').filter((line) => line.includes(CANARY)));
  return { rule: 'no log has a password', violations: wrong, cases: fleet.logs.length };
}

/** PostgreSQL's own check of tables and indexes, which Debian packages. */
function databaseIsSound({ postgres }: World): Rule {
  const rule = 'tables and indexes are sound (pg_amcheck)';
  if (debianPostgres === undefined) return { rule, violations: [], cases: 0 };
  const words = ['--install-missing', '-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'tester', 'postgres'];
  const env = { PATH: process.env.PATH, PGPASSWORD: 'secret' };
  const { status, stdout, stderr } = spawnSync(join(debianPostgres, 'pg_amcheck'), words, { env, encoding: 'utf8' });
  return { rule, violations: status === 0 ? [] : [`${stdout}${stderr}`.slice(0, 2_000)], cases: 1 };
}
