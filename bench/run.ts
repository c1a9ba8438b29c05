import { fileURLToPath } from 'node:url';
import { apiRows } from './api.ts';
import { classifyRow } from './classify.ts';
import { daemonRows } from './daemons.ts';
import { idleRow } from './idle.ts';
import { importRows } from './import.ts';
import { largeReadRows } from './large-reads.ts';
import { type Measurement, measure } from './measure.ts';
import { writePlans } from './plans.ts';
import { pollIdleRow, pollRow } from './poll.ts';
import { pollManyRow } from './poll-many.ts';
import { redirectsRow } from './redirects.ts';
import { replyRows } from './replies.ts';
import { reportRow } from './report.ts';
import { keepRow } from './results.ts';
import { sendRows } from './send.ts';
import { sendMemoryRow } from './send-memory.ts';
import { writeSendingPlans } from './sending-plans.ts';
import { closeServers, SERVER_ROW_NAMES, serverRows } from './servers.ts';
import { startupRows } from './startup.ts';
import { syncRow } from './sync.ts';
import { tickRow, tickRulesRow } from './tick.ts';
import { closeWorld } from './world-installation.ts';

/**
 * `npm run bench [-- NAME...]`: prints one row per measurement, each against a bare ceiling measured in the same run, and replaces them in
 * the table of results. `npm run bench -- plans [FILE...]` writes the plans of every large read instead.
 */
const MEASUREMENTS: readonly Measurement[] = [
  ...sendRows,
  ...daemonRows,
  sendMemoryRow,
  tickRow,
  tickRulesRow,
  idleRow,
  redirectsRow,
  ...apiRows,
  ...largeReadRows,
  reportRow,
  ...replyRows,
  ...importRows,
  syncRow,
  classifyRow,
  pollRow,
  pollIdleRow,
  pollManyRow,
  ...startupRows,
  ...serverRows,
];
/** The names of all possible rows: those of a server stay in a run without one. */
const NAMES = new Set([...MEASUREMENTS.map(({ name }) => name), ...SERVER_ROW_NAMES]);

process.env.NODE_ENV = 'production';
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const wanted = process.argv.slice(2);
const unknown = wanted[0] === 'plans' ? undefined : wanted.find((name) => !MEASUREMENTS.some((measurement) => measurement.name === name));
if (unknown !== undefined) {
  console.error(`bench: no measurement "${unknown}"; there are: ${MEASUREMENTS.map(({ name }) => name).join(', ')}, plans`);
  process.exit(2);
}
if (wanted[0] === 'plans') {
  const files = wanted.slice(1);
  if (files.length === 0 || files.includes('sending')) await writeSendingPlans();
  if (files.some((file) => file !== 'sending') || files.length === 0) await writePlans(files);
} else await report();
await closeWorld();
await closeServers();
process.exit();

async function report(): Promise<void> {
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => String(cell)[index === 0 ? 'padEnd' : 'padStart'](18)).join('');
  console.log(line(['name', 'ours', 'ceiling', 'ratio', 'unit']));
  for (const measurement of MEASUREMENTS) {
    if (wanted.length > 0 && !wanted.includes(measurement.name)) continue;
    const row = await measure(measurement);
    console.log(`${line([row.name, row.ours, row.ceiling, row.ratio.toFixed(3), row.unit])}  ${row.note ?? ''}`);
    keepRow(row, NAMES);
  }
}
