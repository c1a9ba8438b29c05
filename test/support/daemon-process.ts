import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TEST_SECRET } from './secret.ts';
import { waitUntil } from './wait-until.ts';

/** The program that `npm run build` builds. */
export const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

export interface DaemonProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Address of its API. */
  readonly url: string;
  /** Everything that it logged so far. */
  logged(): string;
  /** Sends a signal and resolves when the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface DaemonPlace {
  databaseUrl: string;
  /** Its data directory, and its user's home; made if it is missing. */
  home: string;
  /** More settings. */
  env?: NodeJS.ProcessEnv;
  /** Another build of the program. */
  program?: string;
  /** More words of the command. */
  words?: readonly string[];
}

/** Starts a daemon of the built program with the secret of the tests and a quick clock. Resolves when it says that it is ready. */
export async function startDaemonProcess(place: DaemonPlace, seconds = 60): Promise<DaemonProcess> {
  const { databaseUrl, home, env, program = PROGRAM, words = [] } = place;
  mkdirSync(home, { recursive: true });
  const settings = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, OUTREACH_DATA_DIR: home, OUTREACH_SECRET_KEY: TEST_SECRET },
    ...{ OUTREACH_TICK_SECONDS: '0.2', DATABASE_URL: databaseUrl, ...env },
  };
  const child = spawn(process.execPath, [program, 'start', '--port', '0', ...words], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let [printed, logged] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  try {
    const url = await waitUntil(
      'the daemon is ready',
      () => (isRunning() ? /ready at (\S+)/.exec(printed)?.[1] : Promise.reject(new Error(`the daemon ended: ${logged}`))),
      seconds,
    );
    return {
      child,
      pid: child.pid ?? 0,
      url,
      logged: () => logged,
      async end(signal) {
        if (isRunning()) child.kill(signal);
        await ended;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}
