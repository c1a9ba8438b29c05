import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { getContactRow, listContactsRow } from './contacts.ts';
import { type Measurement, measure, type Row } from './measure.ts';
import { redirectsRow } from './redirects.ts';
import { sendRow } from './send.ts';

/** `npm run bench [-- NAME...]`: one row a measurement, each against a bare ceiling measured in the same run. */
const MEASUREMENTS: readonly Measurement[] = [sendRow, getContactRow, listContactsRow, redirectsRow];
const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

process.env.NODE_ENV = 'production';
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !MEASUREMENTS.some((measurement) => measurement.name === name));
if (unknown !== undefined) {
  console.error(`bench: no measurement "${unknown}"; there are: ${MEASUREMENTS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const line = (cells: readonly (string | number)[]) =>
  cells.map((cell, index) => String(cell)[index === 0 ? 'padEnd' : 'padStart'](16)).join('');
console.log(line(['name', 'ours', 'ceiling', 'ratio', 'unit']));
const rows: Row[] = [];
for (const measurement of MEASUREMENTS) {
  if (wanted.length > 0 && !wanted.includes(measurement.name)) continue;
  const row = await measure(measurement);
  rows.push(row);
  console.log(line([row.name, row.ours, row.ceiling, row.ratio.toFixed(3), row.unit]));
}
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
writeFileSync(RESULTS, `${JSON.stringify({ machine, measured_at: new Date().toISOString(), rows }, null, 2)}\n`);
process.exit();
