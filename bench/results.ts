import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Row } from './measure.ts';

const RESULTS = new URL('results.json', import.meta.url);
const README = new URL('README.md', import.meta.url);
const HEADING = '## Results\n\n';

/** The content of bench/results.json: the newest measurement of each row. */
interface Results {
  machine: string;
  rows: Row[];
}

export const readResults = (): Results => JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;

/**
 * Replaces the row of the same name, or adds it, in results.json and in the table of bench/README.md.
 * @param names of all existing rows, in their order; other rows are dropped
 */
export function keepRow(row: Row, names: Iterable<string>): void {
  const { rows } = readResults();
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
  const merged = [...names].flatMap((name) => (name === row.name ? [row] : rows.filter((kept) => kept.name === name)));
  const results = { machine, rows: merged };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  const text = readFileSync(README, 'utf8');
  writeFileSync(README, text.slice(0, text.indexOf(HEADING)) + resultsSection(results));
}

/** Renders the last section of bench/README.md. */
export function resultsSection({ machine, rows }: Results): string {
  const lines = rows.map(({ name, ours, ceiling, ratio, unit, note, measured_at }) =>
    [name, ours, ceiling, ratio, unit, measured_at.slice(0, 10), note ?? ''].join(' | '),
  );
  return `${HEADING}${machine}

| row | ours | bare | ratio | unit | measured | note |
|---|--:|--:|--:|---|---|---|
${lines.map((line) => `| ${line} |\n`).join('')}`;
}
