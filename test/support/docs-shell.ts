import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';
import { commandHost } from './command-host.ts';
import type { TestInstallation } from './database.ts';
import { type Block, ROOT } from './docs.ts';
import { TEST_SECRET } from './secret.ts';

export interface ShellOptions {
  env?: Record<string, string>;
  /** Replacements for the examples of the page: each key becomes its value. */
  replace?: Record<string, string>;
  /** The folder that it runs in; by default a new one. */
  cwd?: string;
  /** Called with everything printed so far whenever more arrives. */
  watch?: (output: string) => void;
}

/** Runs blocks one after the other in one shell, as a reader does. Returns the output and the exit status. */
export type Shell = (blocks: readonly (Block | string)[], options?: ShellOptions) => Promise<{ status: number | null; output: string }>;

/**
 * Returns a shell in which `outreach` is the built program, for that installation. Its folders are removed after the file.
 * @param port the port of a `commandDoor`, which runs commands without input and without a watcher
 */
export function shellOf(installation: Pick<TestInstallation, 'dataDir' | 'databaseUrl'>, port?: number): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-docs-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const place = (name: string, script: string): string => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'outreach'), script);
    chmodSync(join(folder, name, 'outreach'), 0o755);
    return `${join(folder, name)}:`;
  };
  const program = place('bin', `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/run.js' "$@"\n`);
  const door = port === undefined ? '' : place('door', throughDoor(port, join(folder, 'bin/outreach')));
  const environment = {
    HOME: folder,
    DATABASE_URL: installation.databaseUrl,
    OUTREACH_DATA_DIR: installation.dataDir,
    OUTREACH_SECRET_KEY: TEST_SECRET,
  };
  return (blocks, { env = {}, replace = {}, cwd = folder, watch } = {}) => {
    const texts = blocks.map((block) => (typeof block === 'string' ? block : `echo "== ${block.page}:${block.line}"\n${block.text}`));
    const script = Object.entries(replace).reduce((text, [from, to]) => text.replaceAll(from, to), texts.join('\n'));
    return new Promise((resolve) => {
      const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
        cwd,
        // Through the door, a command's output arrives only at its end.
        env: { ...environment, PATH: `${watch === undefined ? door : ''}${program}${process.env.PATH ?? ''}`, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [shell.stdout, shell.stderr])
        stream.setEncoding('utf8').on('data', (some: string) => {
          output += some;
          watch?.(output);
        });
      shell.once('close', (status) => resolve({ status, output }));
    });
  };
}

/**
 * Returns a program that reports its process id at the door, and writes the answer to its own stdout and stderr. With input, it runs
 * `other` instead.
 */
const throughDoor = (port: number, other: string): string => `#!/bin/bash
if ! [ /dev/stdin -ef /dev/null ] || ! [ -e /proc/$$/environ ]; then exec '${other}' "$@"; fi
exec 3<>/dev/tcp/127.0.0.1/${port}
echo $$ >&3
read -r status length <&3
LC_ALL=C IFS= read -r -N "$length" errors <&3
cat <&3
printf %s "$errors" >&2
exit "$status"
`;

/**
 * Lets the command host run the commands of processes that a shell started, with the arguments, variables and folder that Linux shows for
 * each: so the program is loaded once, and not for every command of a page. Returns the port. Closed after the file.
 */
export async function commandDoor(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (pid) =>
      runFor(Number(pid)).then(
        (answer) => socket.end(answer),
        () => socket.destroy(),
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Runs the command of that process. Returns its status and the length of its stderr in a line, then stderr and stdout. */
async function runFor(pid: number): Promise<string> {
  const listOf = async (name: string) => (await readFile(`/proc/${pid}/${name}`, 'utf8')).split('\0').slice(0, -1);
  const [[, , ...args], variables, cwd] = await Promise.all([listOf('cmdline'), listOf('environ'), readlink(`/proc/${pid}/cwd`)]);
  const env = Object.fromEntries(variables.map((each) => /^([^=]*)=(.*)$/s.exec(each)?.slice(1) ?? []));
  const { status, stdout, stderr } = await commandHost().run({ args, env, cwd });
  return `${status} ${Buffer.byteLength(stderr)}\n${stderr}${stdout}`;
}
