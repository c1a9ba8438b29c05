import { operator } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { benchInstallation } from './installation.ts';
import { type Measurement, perSecond, type Sides } from './measure.ts';
import { READS } from './reads.ts';
import { activateAll, connectAccounts, prepareTurn, type SendScale, sendingInstallation, sendTurn } from './sending.ts';
import { startSink } from './sink.ts';
import { seedWorld } from './world.ts';

const CONTACTS = 100_000;
const EVENTS = 500_000;
const ROUNDS = 5;
const SCALE: SendScale = { accounts: 50, batch: 40, batches: 1 };
const caller = operator(1, 1);

/** The measured reads: the file of their plans, and their name there. */
const ROWS: Readonly<Record<string, readonly [string, string]>> = {
  'server-contacts': ['contacts', 'first page'],
  'server-page': ['contacts', 'last page'],
  'server-feed': ['events', 'first page'],
  'server-search': ['search', 'name:ada'],
  'server-enrolled': ['campaigns', 'who is enrolled'],
};

const SEND_ROW = 'server-send';

/** The names of `serverRows`, measured or not. */
export const SERVER_ROW_NAMES: readonly string[] = [...Object.keys(ROWS), SEND_ROW];

/**
 * The same work on the server of BENCH_DATABASE_URL and on the embedded one, alternating; 1 is as fast. On a server with JIT, which the
 * embedded one lacks, the ratio shows its cost. Left out without BENCH_DATABASE_URL; the server must be on this machine.
 */
export const serverRows: readonly Measurement[] =
  process.env.BENCH_DATABASE_URL === undefined ? [] : rowsOn(process.env.BENCH_DATABASE_URL);

function rowsOn(serverUrl: string): Measurement[] {
  const reads = Object.entries(ROWS).map(([name, [file, read]]) => readRow(name, file, read, serverUrl));
  return [...reads, sendRow(serverUrl)];
}

let worlds: ReturnType<typeof openBoth> | undefined;

/** Opens the same seeded installation on both servers, for all reads of a run. */
async function openBoth(serverUrl: string) {
  const [theirs, ours] = [await benchInstallation({ serverUrl }), await benchInstallation()];
  const seeded = async ({ app }: { app: App }) => ({ app, world: (await seedWorld(app, CONTACTS, EVENTS)).big });
  return { theirs: await seeded(theirs), ours: await seeded(ours), remove: () => Promise.all([theirs.remove(), ours.remove()]) };
}

/** Stops both servers. */
export async function closeServers(): Promise<void> {
  await (await worlds)?.remove();
}

function readRow(name: string, file: string, readName: string, serverUrl: string): Measurement {
  return {
    name,
    unit: 'reads/s',
    rounds: ROUNDS,
    async prepare(): Promise<Sides> {
      worlds ??= openBoth(serverUrl);
      const { theirs, ours } = await worlds;
      const read = READS[file]?.[readName];
      if (read === undefined) throw new Error(`there is no read "${readName}" of ${file}`);
      const rateOf = ({ app, world }: typeof ours) => perSecond(() => read(app, caller, world));
      return { ours: () => rateOf(theirs), ceiling: () => rateOf(ours), note: () => `${file}: ${readName}` };
    },
  };
}

function sendRow(serverUrl: string): Measurement {
  return {
    name: SEND_ROW,
    unit: 'emails/s',
    rounds: 3,
    async prepare() {
      const sink = await startSink();
      const [theirs, ours] = [await sendingInstallation(serverUrl), await sendingInstallation()];
      const send = async (installation: typeof ours) => {
        const accounts = await connectAccounts(installation.app, sink.port, SCALE);
        const campaigns = await prepareTurn(installation.app, accounts, SCALE, `turn-${++turns}`);
        await activateAll(installation.app, campaigns);
        return (SCALE.accounts * SCALE.batch) / (await sendTurn(installation, accounts, campaigns, SCALE));
      };
      return {
        ours: () => send(theirs),
        ceiling: () => send(ours),
        async close() {
          await Promise.all([theirs.remove(), ours.remove()]);
          await sink.stop();
        },
      };
    },
  };
}

let turns = 0;
