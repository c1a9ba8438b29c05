import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { Life, newEnrolment } from '../support/life/life.ts';
import { beginnings, sequences } from '../support/life/sequences.ts';
import { startWire, type Wire } from '../support/life/wire.ts';
import { type Beginning, CORRECTED, World } from '../support/life/world.ts';
import { runs } from '../support/runs.ts';
import { outsideTransaction } from '../support/transaction-guard.ts';

const RUNS = Number(process.env.LIFE_RUNS ?? runs(12, 20_000));
/** In `npm test` always the same, since a change is not to fail by chance; a soak run by itself looks further each time. */
const SEED = Number(process.env.LIFE_SEED ?? runs(7, Date.now() % 1_000_000));
const PATH = process.env.LIFE_PATH;
/** Sequences at once, each in a transaction of its own; one where a counterexample is replayed. */
const LANES = PATH === undefined ? 6 : 1;

let installation: TestInstallation;
let wire: Wire;

beforeAll(async () => {
  installation = await testInstallation();
  wire = await startWire();
});

class RolledBack extends Error {}

/** Runs `work` on a database whose changes nobody else ever sees. */
async function inVain(app: App, work: (app: App) => Promise<void>): Promise<void> {
  const all = app.db.tx(async (tx) => {
    let last: Promise<unknown> = Promise.resolve();
    // A batch has several transactions at once; as savepoints of one they must take turns.
    const inTurn: App['db']['tx'] = (part) => {
      const result = last.then(() => tx.savepoint(part));
      last = result.catch(() => undefined);
      return result;
    };
    await outsideTransaction(() => work({ ...app, db: { ...app.db.within(tx), tx: inTurn } }));
    throw new RolledBack();
  });
  await all.catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}

/** The model as the world begins. */
async function lifeOf(
  world: World,
  { kinds, waits, replyTo, stopsCompany, whenUnknown, whenColleagueReplies, hasCopies, isSuppressed }: Beginning,
): Promise<Life> {
  const life = new Life(world.clock.now().getTime());
  life.accounts = world.ids.accounts.map((id, index) => ({
    ...{
      id,
      email: `${['one', 'two'][index]}@${world.domain}`,
      status: 'active',
      reason: null,
      pausedAt: 0,
      cut: 0,
      waitsUntil: 0,
      isArchived: false,
      isDeleted: false,
    },
  }));
  life.campaigns = world.ids.campaigns.map((id, index) => ({
    ...{
      id,
      status: 'active',
      isPausedByAccount: false,
      isArchived: false,
      isDeleted: false,
      account: life.accounts[0],
      stopsCompany,
      whenUnknown,
      whenColleagueReplies,
    },
    copiesTo: index === 0 && hasCopies ? world.boss : null,
    replyTo: index === 0 ? world.replyAddress(replyTo) : null,
    steps: (world.ids.steps[index] ?? []).map((step, order) => ({
      ...{ id: step, kind: index === 0 ? kinds[order] : 'email', wait: index === 0 ? waits[order] : 0, isLive: true },
    })),
  })) as Life['campaigns'];
  const people = world.people();
  life.contacts = world.ids.contacts.map((id, index) => ({
    ...{ id, name: people[index]?.name ?? '', address: people[index]?.email ?? '', isArchived: false, isDeleted: false },
  }));
  if (isSuppressed) life.suppress(world.address(...CORRECTED), 'stopped');
  const [first, second] = life.campaigns;
  const [ada, bob] = life.contacts;
  await world.read();
  for (const [campaign, contact] of [
    [first, ada],
    [first, bob],
    [second, ada],
  ] as const)
    if (campaign && contact) life.enrolments.push(newEnrolment(world.enrolmentId(campaign.id, contact.id), campaign, contact, life.now));
  return life;
}

async function live(beginning: Beginning, commands: Parameters<typeof fc.asyncModelRun<Life, World, false, Life>>[1]): Promise<void> {
  await inVain(installation.app, async (app) => {
    const world = new World(app);
    try {
      await world.begin(wire, beginning);
      const life = await lifeOf(world, beginning);
      await fc.asyncModelRun(async () => ({ model: life, real: world }), commands);
    } finally {
      wire.unplug(world.domain);
    }
  });
}

const COMMAND = 'npm exec -- vitest run test/life';

/** The command that repeats a counterexample alone, as short as it was shrunk. fast-check prints its replayPath in a comment. */
function replay({
  seed,
  counterexamplePath,
  counterexample,
}: Pick<fc.RunDetails<unknown>, 'seed' | 'counterexamplePath' | 'counterexample'>): string {
  const [, sequence] = (counterexample ?? []) as [Beginning, Iterable<unknown>];
  const commands = /replayPath="([^"]*)"/.exec(String(sequence))?.[1];
  return `TEST_SOAK=1 LIFE_SEED=${seed} LIFE_PATH=${counterexamplePath} LIFE_REPLAY=${commands} ${COMMAND}`;
}

describe('the life of an enrolment', () => {
  it(`is what the rules say after every move of ${RUNS} random sequences from LIFE_SEED=${SEED}`, async () => {
    if (process.env.TEST_SOAK !== undefined && PATH === undefined)
      console.log(`again: TEST_SOAK=1 LIFE_SEED=${SEED} LIFE_RUNS=${RUNS} ${COMMAND}`);
    let isOver = false;
    const lane = async (seed: number) => {
      const walks = fc.asyncProperty(beginnings, sequences(process.env.LIFE_REPLAY), async (beginning, commands) => {
        if (!isOver) await live(beginning, commands);
      });
      const run = await fc.check(walks, { seed, numRuns: Math.ceil(RUNS / LANES), ...(PATH === undefined ? {} : { path: PATH }) });
      if (run.failed) throw new Error(`${fc.defaultReportMessage(run)}\nAlone: ${replay(run)}`, { cause: run.errorInstance });
    };
    // Each lane is waited for, since the database is dropped after the test; the first counterexample is enough.
    const ends = await Promise.allSettled(
      Array.from({ length: LANES }, (_, index) =>
        lane(SEED + index).catch((error) => {
          isOver = true;
          throw error;
        }),
      ),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }, 7_200_000);
});
