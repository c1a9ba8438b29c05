import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { apiClient } from '../support/api-client.ts';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';
import { makeExampleWorld } from '../support/example-world.ts';

/** The program of schemathesis (PyPI), 4.32 or later. */
const PROGRAM = process.env.SCHEMATHESIS ?? 'schemathesis';
/** SCHEMATHESIS_SEEDS sets others; each has an installation of its own. */
const SEEDS = (process.env.SCHEMATHESIS_SEEDS ?? '1').split(',');
/** Random requests to each operation in the phases of examples and fuzzing. */
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '5';
/** SCHEMATHESIS_MINUTES sets another limit for the run of a seed. */
const MINUTES = Number(process.env.SCHEMATHESIS_MINUTES ?? 40);
/** The stateful phase has an installation of its own: after the others, what their requests deleted and archived has no links to follow. */
const PHASES = ['examples,coverage,fuzzing', 'stateful'];
/** Its configuration, and our check of valid requests. */
const FOLDER = join(import.meta.dirname, '../schemathesis');

interface Report {
  failures: { title: string; operations: string[] }[];
  errors: unknown[];
  test_cases: Record<string, number>;
  operations: Record<string, unknown>;
  phases: Record<string, { status: string }>;
}

async function run(seed: string, phases: string) {
  const installation = await testInstallation();
  const { databaseUrl, dataDir, adminKey } = installation;
  const env = { OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true' };
  const daemon = await startDaemonProcess({ databaseUrl, home: join(dataDir, 'daemon'), env });
  try {
    const { key } = await makeExampleWorld(installation.app, apiClient(daemon.url, adminKey));
    const { user_id: users, api_key_id: keys } = (await apiClient(daemon.url, key).get('/me')).body;
    const [file, refusals] = [join(dataDir, 'report.json'), join(dataDir, 'refusals')];
    const options = ['--seed', seed, '--max-examples', EXAMPLES, '--report', 'json', '--report-json-path', file, '--no-color'];
    const said = await promisify(execFile)(
      PROGRAM,
      [
        '--config-file',
        join(FOLDER, 'schemathesis.toml'),
        'run',
        `${daemon.url}/api/v1/openapi.json`,
        '--header',
        `Authorization: Bearer ${key}`,
        ...['--workers', '1', '--phases', phases],
        ...options,
      ],
      {
        cwd: dataDir,
        env: {
          ...process.env,
          PYTHONPATH: FOLDER,
          PYTHONDONTWRITEBYTECODE: '1',
          OUTREACH_REFUSALS: refusals,
          OUTREACH_OWN: JSON.stringify({ users, keys }),
        },
        timeout: MINUTES * 60_000,
        maxBuffer: 256 * 1024 * 1024,
      },
    ).catch((error: { stdout: string; stderr: string }) => error);
    // One that is killed when its time is over leaves it empty.
    if (!existsSync(file) || statSync(file).size === 0)
      throw new Error(`schemathesis made no report in ${MINUTES} minutes: ${said.stdout}${said.stderr}`);
    const refused = existsSync(refusals) ? readFileSync(refusals, 'utf8').trim().split('\n') : [];
    return { report: JSON.parse(readFileSync(file, 'utf8')) as Report, refused, said: said.stdout };
  } finally {
    await daemon.end('SIGTERM');
  }
}

const isInstalled = spawnSync(PROGRAM, ['--version']).status === 0;

describe.skipIf(!isInstalled)('schemathesis finds the API as its document says it is', () => {
  const runs = SEEDS.flatMap((seed) => PHASES.map((phases) => [seed, phases] as const));
  it.each(runs)('seed %s: every check in the phases %s', { timeout: (MINUTES + 2) * 60_000 }, async (seed, phases) => {
    const { report, refused, said } = await run(seed, phases);
    console.log(JSON.stringify({ seed, ...report.operations, ...report.test_cases, phases: report.phases, refused: refused.length }));
    console.log([...new Set(refused)].join('\n'));
    console.log(/API Links: .*/.exec(said)?.[0] ?? '');
    const found = report.failures.map(({ title, operations }) => `${title}: ${operations.join(', ')}`);
    expect(found, said).toEqual([]);
    expect(report.errors, said).toEqual([]);
  });
});
