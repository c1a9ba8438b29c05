import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Caller, operator } from '../src/access/index.ts';
import { READS } from './reads.ts';
import { type RecordedStatement, statementsOf } from './recorded.ts';
import type { SeededWorkspace } from './seed-workspace.ts';
import type { World } from './world.ts';
import { openWorld, scaleOf } from './world-installation.ts';

export const FOLDER = fileURLToPath(new URL('plans/', import.meta.url));
/** The lines of a plan that are kept in addition to its first node with its buffers: nodes, conditions, and rows removed by filters. */
const KEPT_LINES = /->|Cond:|Filter|Time:|SubPlan|InitPlan|CTE/;

/**
 * Writes the plans of the statements of every read of a large table to plans/*.txt, for an admin and a manager of the large
 * workspace and an admin of the small one, and prints the duration of each read.
 * @param files only these; all if empty
 */
export async function writePlans(files: readonly string[]): Promise<void> {
  const { app, world, databaseUrl } = await openWorld();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  mkdirSync(FOLDER, { recursive: true });
  console.log(
    `${'milliseconds by statement'.padEnd(52)}${viewers(world)
      .map(({ name }) => name.padEnd(24))
      .join('')}`,
  );
  for (const [file, reads] of Object.entries(READS)) {
    if (files.length > 0 && !files.includes(file)) continue;
    const text = [`Plans at ${scaleOf(world)}, PostgreSQL ${(await client.query('show server_version')).rows[0].server_version}.\n`];
    for (const [name, read] of Object.entries(reads)) {
      const times: string[] = [];
      for (const viewer of viewers(world)) {
        const plans = await plansOf(client, await statementsOf(app, (recording) => read(recording, viewer.caller, viewer.workspace)));
        text.push(`\n## ${name}, ${viewer.name}\n`, ...plans.map(({ plan }) => `${plan}\n`));
        times.push(plans.map(({ milliseconds }) => milliseconds.toFixed(1)).join(' '));
      }
      console.log(`${file}: ${name}`.padEnd(52) + times.map((time) => time.padEnd(24)).join(''));
    }
    writeFileSync(`${FOLDER}${file}.txt`, text.join('\n'));
  }
  await client.end();
}

interface Viewer {
  name: string;
  caller: Caller;
  workspace: SeededWorkspace;
}

const viewers = ({ big, small, manager }: World): Viewer[] => [
  { name: 'admin', caller: operator(big.workspaceId, 1), workspace: big },
  { name: 'manager', caller: { ...operator(big.workspaceId, manager.id), role: 'manager' }, workspace: big },
  { name: 'small workspace', caller: operator(small.workspaceId, 1), workspace: small },
];

/** Returns the executed plans, each after a run that warms the cache. Changes are rolled back. */
export async function plansOf(
  client: pg.Client,
  statements: readonly RecordedStatement[],
): Promise<{ plan: string; milliseconds: number }[]> {
  const plans = [];
  for (const statement of statements) {
    const given = statement.values.length === 0 ? '' : `(${statement.values.map(literal).join(', ')})`;
    await client.query('begin');
    await client.query(`prepare read as ${statement.text}`);
    await client.query(`set plan_cache_mode = ${statement.isPrepared ? 'force_generic_plan' : 'force_custom_plan'}`);
    await client.query(`execute read${given}`);
    const { rows } = await client.query<Record<string, string>>(`explain (analyze, buffers) execute read${given}`);
    await client.query('rollback; deallocate read');
    const lines = rows.map((row) => row['QUERY PLAN'] ?? '');
    const kept = lines.filter((line, index) => index < 2 || KEPT_LINES.test(line));
    const milliseconds =
      Number(/Execution Time: ([\d.]+)/.exec(lines.join('\n'))?.[1]) + Number(/Planning Time: ([\d.]+)/.exec(lines.join('\n'))?.[1]);
    const text = `${statement.text.replaceAll(/\s+/g, ' ')}\n${given}`.trim();
    plans.push({
      plan: `${statement.isPrepared ? 'prepared: ' : ''}${text}\n${kept.map((line) => `    ${line}`).join('\n')}`,
      milliseconds,
    });
  }
  return plans;
}

/** A value as a literal in a statement, formatted like the driver does. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = value instanceof Date ? value.toISOString() : Array.isArray(value) ? `{${value.map(element).join(',')}}` : String(value);
  return pg.escapeLiteral(text);
}

const element = (value: unknown) => (typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : String(value));
