import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestInstallation } from './database.ts';
import { TEST_SECRET } from './secret.ts';
import { waitUntil } from './wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/** True if tmux is available to emulate the terminal. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.warn('tmux is missing: what happens at a terminal is not tested');

/** A command at a terminal, by default of 100 by 30, as a person uses it. */
export interface Terminal {
  /** Everything shown so far, with wrapped lines joined. */
  screen(): string;
  /** Waits until that is shown, and returns the screen. */
  shows(words: RegExp, seconds?: number): Promise<string>;
  /** True if its bell has rung. */
  hasRung(): boolean;
  type(text: string): void;
  /** Presses a key by tmux's name for it, `Enter` or `C-c`. */
  press(key: string): void;
  /** Waits for the end. Returns the exit status, 128 or more if a signal ended it, and the final screen. */
  end(seconds?: number): Promise<{ status: number; screen: string }>;
  close(): void;
}

let opened = 0;

/** Runs `outreach ARGS...` in a separate tmux server, isolated from other settings and sessions. */
export function openTerminal(
  installation: Pick<TestInstallation, 'dataDir' | 'databaseUrl'>,
  args: readonly string[],
  env: Record<string, string> = {},
  size: { columns: number; lines: number } = { columns: 100, lines: 30 },
): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-tmux-'));
  const server = `outreach-test-${process.pid}-${++opened}`;
  const settings = join(folder, 'tmux.conf');
  writeFileSync(settings, 'set -g remain-on-exit on\nset -g monitor-bell on\nset -g history-limit 5000\n');
  const environment = {
    ...{ PATH: process.env.PATH ?? '', HOME: folder, TERM: 'screen-256color', LANG: 'C.UTF-8' },
    ...{ OUTREACH_DATA_DIR: installation.dataDir, OUTREACH_SECRET_KEY: TEST_SECRET, DATABASE_URL: installation.databaseUrl },
    ...env,
  };
  const tmux = (...command: string[]) =>
    execFileSync('tmux', ['-u', '-L', server, '-f', settings, ...command], { encoding: 'utf8', env: { ...process.env, TMUX: '' } });
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // tmux itself occasionally loses the status, if the terminal closes before it learns of the process's end.
  const statusFile = join(folder, 'status');
  const wrapper = ['sh', '-c', `trap : INT; "$@"; echo $? > ${statusFile}`, 'sh'];
  tmux(
    'new-session',
    '-d',
    '-x',
    `${size.columns}`,
    '-y',
    `${size.lines}`,
    ...wrapper,
    'env',
    '-i',
    ...variables,
    process.execPath,
    PROGRAM,
    ...args,
  );

  const screen = () => tmux('capture-pane', '-p', '-J', '-S', '-');
  const statusText = () => (existsSync(statusFile) ? readFileSync(statusFile, 'utf8').trim() : '');
  return {
    screen,
    async shows(words, seconds = 30) {
      await waitUntil(`the terminal shows ${words}; it shows:\n${screen()}`, () => words.test(screen()), seconds);
      return screen();
    },
    hasRung: () => tmux('list-windows', '-F', '#{window_bell_flag}').trim() === '1',
    type: (text) => void tmux('send-keys', '-l', text),
    press: (key) => void tmux('send-keys', key),
    async end(seconds = 30) {
      await waitUntil(`the command ends; the terminal shows:\n${screen()}`, () => statusText() !== '', seconds);
      return { status: Number(statusText()), screen: screen() };
    },
    close() {
      spawnSync('tmux', ['-L', server, 'kill-server']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
