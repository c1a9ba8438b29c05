import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { commandHost } from './command-host.ts';
import type { TestInstallation } from './database.ts';
import { TEST_SECRET } from './secret.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
/** A command that takes longer is stuck. */
const LIMIT_SECONDS = 60;

/** The result of a run of the program. */
interface CliAnswer {
  /** The exit status; null when a signal or the time limit ended it. */
  status: number | null;
  stdout: string;
  stderr: string;
  /** stdout as the one JSON document that --json promises. Throws, with the output, if it is not one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  json(): any;
}

/** Runs a command of the built program: `outreach ARGS...`. */
export type Cli = (args: readonly string[], options?: CliOptions) => Promise<CliAnswer>;

interface CliOptions {
  env?: Record<string, string>;
  input?: string;
  /** The encoding of stdout, if it is not text. */
  encoding?: BufferEncoding;
  /** Called with all of stderr whenever more arrives, while the process runs. */
  watch?: (stderr: string) => void;
}

type Place = Pick<TestInstallation, 'dataDir' | 'databaseUrl'>;

/**
 * Returns the command line of a test installation. It runs the latest build (`npm test` builds first, `vitest` alone does not), and sees
 * only PATH of the surrounding environment. Commands run one after another in a process that has already loaded the program. A command with
 * input, a watcher or a variable that Node itself reads gets its own process.
 */
export function cliOf(installation: Place): Cli {
  const environment = environmentOf(installation);
  const process = processCliOf(installation);
  return async (args, options = {}) => {
    const isForNode = Object.keys(options.env ?? {}).some((name) => name.startsWith('NODE_'));
    if (options.input !== undefined || options.watch !== undefined || isForNode) return process(args, options);
    const outcome = await commandHost().run({ args, env: { ...environment, ...options.env } });
    return { ...outcome, json: () => parse(outcome.stdout, outcome.stderr, args) };
  };
}

/**
 * Returns the same with a process for each command: for tests of the process itself, and for concurrent commands.
 * @param program another build of it
 */
export function processCliOf(installation: Place, program = PROGRAM): Cli {
  const environment = environmentOf(installation);
  return (args, { env = {}, input, watch, encoding = 'utf8' } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], { env: { ...environment, ...env } });
      const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_SECONDS * 1_000);
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding(encoding).on('data', (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
        watch?.(stderr);
      });
      // A program that exits without reading its input closes the pipe.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input ?? '');
      child.once('error', reject);
      child.once('close', (status) => {
        clearTimeout(limit);
        resolve({ status, stdout, stderr, json: () => parse(stdout, stderr, args) });
      });
    });
}

/** The environment in which a command finds the installation. Throws if the program is not built. */
export function environmentOf({ dataDir, databaseUrl }: Place): Record<string, string> {
  if (!existsSync(BUILT)) throw new Error('the program is not built; run: npm run build');
  return {
    PATH: process.env.PATH ?? '',
    HOME: dataDir,
    TZ: process.env.TZ ?? '',
    OUTREACH_DATA_DIR: dataDir,
    OUTREACH_SECRET_KEY: TEST_SECRET,
    DATABASE_URL: databaseUrl,
  };
}

/** Runs a command that must succeed, with --json and nothing on stderr. Returns its document. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any answer
export async function succeed(cli: Cli, ...args: string[]): Promise<any> {
  const answer = await cli([...args, '--json']);
  expect(answer, args.join(' ')).toMatchObject({ status: 0, stderr: '' });
  return answer.json();
}

/** Runs a command that must fail with that status, nothing on stdout and one line on stderr. Returns the line. */
export async function refuse(cli: Cli, status: number, ...args: string[]): Promise<string> {
  const answer = await cli([...args, '--json']);
  expect(answer, `${args.join(' ')}: ${answer.stderr}`).toMatchObject({ status, stdout: '' });
  expect(answer.stderr).toMatch(/^outreach: [^\n]+\n$/);
  return answer.stderr;
}

function parse(stdout: string, stderr: string, args: readonly string[]): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`outreach ${args.join(' ')} printed no JSON document.\nstdout: ${stdout}\nstderr: ${stderr}`);
  }
}
