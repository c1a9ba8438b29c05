import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { seededRandom } from '../../src/core/random.ts';
import { undoAll } from '../support/after-file.ts';
import { PROGRAM } from '../support/daemon-process.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { Faults } from './faults.ts';
import { judgeRun, type Rule } from './judgement.ts';
import { examineMachine } from './machine.ts';
import { type FaultName, isKill, planFaults, stretch, TARGETS, type Target, targetOf } from './plan.ts';
import { Recoveries } from './recoveries.ts';
import { emailCounts, isPassed, percentiles, type Report, summary } from './report.ts';
import { comeToRest } from './settled.ts';
import { Traffic } from './traffic.ts';
import { BATCH, startWorld, type World } from './world.ts';

/**
 * `npm run chaos -- [--seed N] [--minutes M | --seconds S] [--kills K] [--daemons D] [--accounts A] [--emails E] [--jobs mongodb] [--pause
 * SECONDS] [--report FILE]`: daemons send while they and everything that they need are killed, cut off and frozen, until the minutes or the
 * kills are over, or until Ctrl-C. Then the remaining emails are sent, and the rules are checked that must be true whatever fails. Prints a
 * summary, writes the report as JSON, and exits with 1 if a rule is broken. The same seed plans the same faults. `--seconds` covers the
 * whole run, including start and end: if not everything is settled in that time, the rules that require it are left out, since a slow
 * machine breaks no rule.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    kills: { type: 'string' },
    daemons: { type: 'string', default: '5' },
    accounts: { type: 'string', default: '60' },
    emails: { type: 'string' },
    jobs: { type: 'string', default: 'postgresql' },
    pause: { type: 'string', default: '1.5' },
    report: { type: 'string' },
  },
});
const [seed, daemons, accounts] = [values.seed, values.daemons, values.accounts].map(Number) as [number, number, number];
const kills = Number(values.kills ?? Number.POSITIVE_INFINITY);
const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
const minutes = Number(values.minutes ?? (values.kills === undefined ? 10 : Number.POSITIVE_INFINITY));
if (values.jobs !== 'postgresql' && values.jobs !== 'mongodb') throw new Error('--jobs is postgresql or mongodb');
const { jobs } = values;
/** As many as the accounts may send in that time, less the losses by faults. */
const emails = Number(values.emails ?? Math.ceil(accounts * BATCH * Math.min(minutes, kills / 25) * 0.8));
/** Share of the emails that is sent between the kills. The rest is left for the end. */
const PACE = 0.95;
/**
 * Maximum milliseconds until everything is settled and read: the longest lease is a quarter of an hour, and a poll may be postponed by as
 * much.
 */
const MAX_REST = 40 * 60_000;
/** With `--seconds`, the share of the time in which faults occur. Then the remaining emails are sent, a little longer if necessary. */
const FAULTS_SHARE = 0.5;
const GRACE = 15;

process.env.NODE_ENV = 'production';
let ending: Promise<void> | undefined;
/** Ends the run. Also called on a signal, which makes the run fail; both wait for the same end. */
const end = () => {
  ending ??= undoAll();
  return ending;
};
const stop = () => void end().finally(() => process.exit(1));
let deadline = Number.POSITIVE_INFINITY;
process.once('SIGTERM', stop).once('SIGINT', () => {
  console.log('no more faults: what has been is judged; another Ctrl-C stops at once');
  deadline = 0;
  process.once('SIGINT', stop);
});
try {
  const report = await run();
  const file = values.report ?? `chaos-${seed}.json`;
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`${summary(report)}\n\nThe report is in ${file}.`);
  process.exitCode = isPassed(report) ? 0 : 1;
} finally {
  await end();
}
process.exit();

async function run(): Promise<Report> {
  const machine = examineMachine(jobs);
  for (const reason of machine.skipped) console.log(`skipped: ${reason}`);
  const world = await startWorld({ daemons, accounts, contacts: Math.ceil(emails / accounts / 2), jobs }, machine);
  console.log(`seed ${seed}: ${daemons} daemons, ${accounts} accounts, ${emails} emails`);
  const traffic = new Traffic(world, seededRandom(seed + 1));
  const recoveries = new Recoveries(world.app);
  const begin = performance.now();
  const faults = await wreak(new Faults(world, recoveries, () => performance.now() > deadline), machine.faults, recoveries);
  console.log(`${Math.round((performance.now() - begin) / 1_000)} s: no more faults; what is left is sent`);
  const missing = await comeToRest(world, traffic, seconds === undefined ? performance.now() + MAX_REST : (seconds + GRACE) * 1_000);
  const unmeasured = await recoveries.end();
  // On a slow machine, a command takes a while.
  const listed = seconds === undefined || missing === undefined ? await uncertainOnes(world) : [];
  const { verdict, rules } = await judgeRun(world, traffic, listed);
  const judged = seconds === undefined || missing === undefined ? rules : rules.filter(({ needsRest }) => needsRest !== true);
  const rest: Rule = { rule: 'everything is settled in the end', violations: missing === undefined ? [] : [missing], cases: 1 };
  return {
    ...{ seed, daemons, seconds: (performance.now() - begin) / 1_000, faults, kills: killsOf(faults), emails: emailCounts(verdict) },
    ...{ answers: traffic.answers.size, opt_outs: traffic.optOuts.length },
    recovery: Object.fromEntries([...recoveries.seconds].sort().map(([fault, seconds]) => [fault, percentiles(seconds)])),
    ...{ unmeasured, rules: seconds === undefined ? [...judged, rest] : judged },
    skipped: [...machine.skipped, ...(judged.length < rules.length ? [`${rules.length - judged.length} rules: ${missing}`] : [])],
  };
}

function killsOf(faults: Record<string, number>): number {
  const counts = Object.entries(faults).map(([name, count]) => (isKill(name as FaultName) ? count : 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Carries out the planned faults until the time or the kills are over: one at a time at each target, and at all targets in parallel.
 * Returns their numbers by kind.
 */
async function wreak(faults: Faults, possible: readonly FaultName[], recoveries: Recoveries): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  deadline = Math.min(deadline, seconds === undefined ? performance.now() + minutes * 60_000 : seconds * FAULTS_SHARE * 1_000);
  const share = (emails * PACE) / kills;
  const strike = async (target: Target, index: number) => {
    const ofTarget = possible.filter((name) => targetOf(name) === target);
    const pause = Number(values.pause) * TARGETS[target];
    for (const fault of ofTarget.length === 0 ? [] : planFaults(seededRandom(seed * 10 + index), ofTarget, pause)) {
      if (performance.now() > deadline || killsOf(counts) >= kills) return;
      await faults.carryOut(fault);
      counts[fault.name] = (counts[fault.name] ?? 0) + 1;
      await wait(fault.pause * stretch(killsOf(counts), recoveries.accepted, share) * 1_000);
    }
  };
  const tell = setInterval(() => console.log(`${killsOf(counts)} kills, ${recoveries.accepted} emails`), 60_000);
  await Promise.all((Object.keys(TARGETS) as Target[]).map(strike));
  clearInterval(tell);
  return counts;
}

/** Returns the recipients that the command lists for a person to decide on. */
async function uncertainOnes({ app, folder, postgres }: World): Promise<string[]> {
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, OUTREACH_DATA_DIR: app.config.dataDir, OUTREACH_SECRET_KEY: TEST_SECRET },
    DATABASE_URL: `postgres://tester:secret@127.0.0.1:${postgres.port}/postgres`,
  };
  const words = [PROGRAM, 'outbox', 'list', '--uncertain', '--limit', '10000', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env, maxBuffer: 64 * 1024 * 1024 });
  return (JSON.parse(stdout) as { data: { recipient: string }[] }).data.map(({ recipient }) => recipient);
}
