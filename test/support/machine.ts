import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterFile } from './after-file.ts';
import type { Block } from './docs.ts';
import { waitUntil } from './wait-until.ts';

const SYSTEMCTL = fileURLToPath(new URL('./systemctl.sh', import.meta.url));

/** A separate machine to install on: this machine's file system under a layer that receives all changes, and its own processes. */
export interface Machine {
  /** Runs a script as root. Standard output and error are one text. */
  run(script: string): Promise<{ status: number | null; output: string }>;
  /** Runs a script that must succeed, and returns its output. */
  works(script: string | Block): Promise<string>;
  /** Copies a file of this machine there. */
  put(from: string, to: string): void;
  /** Writes a file there. */
  write(path: string, text: string): void;
  /** Reads a file there. */
  read(path: string): string;
}

/** Mounts the layer, and remains as the first process, which adopts and reaps daemons. */
const SET_UP = `
  mount -t tmpfs tmpfs "$1"
  mkdir "$1/upper" "$1/work" "$1/root"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
  mount -t proc proc "$1/root/proc"
  mount --rbind /dev "$1/root/dev"
  mount -t tmpfs tmpfs "$1/root/run"
  mkdir -p "$1/root/run/systemd/system" "$1/root/run/lock"
  exec chroot "$1/root" bash -c 'echo ready; while :; do sleep 3600 & wait $!; done'`;

const TRY = `
  mount -t tmpfs tmpfs /mnt
  mkdir /mnt/upper /mnt/work /mnt/root
  mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root`;

/** True if this user can create such a machine: root, with namespaces and overlays. */
export const hasMachines = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'sh', '-ec', TRY]).status === 0;

/** Starts a machine where `systemctl` is that of `systemctl.sh` and nothing of this checkout is installed. It ends after the file. */
export async function startMachine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-machine-'));
  const keeper = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-ec', SET_UP, '-', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterFile(async () => {
    await ended(keeper);
    rmSync(folder, { recursive: true, force: true });
  });
  let said = '';
  keeper.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await waitUntil('the machine is there', () => said.includes('ready') || keeper.exitCode !== null);
  const first = readFileSync(`/proc/${keeper.pid}/task/${keeper.pid}/children`, 'utf8').trim();
  const inside = (path: string) => `/proc/${first}/root${path}`;
  const machine = machineOf(first, inside);
  machine.put(SYSTEMCTL, '/usr/bin/systemctl');
  return machine;
}

function machineOf(first: string, inside: (path: string) => string): Machine {
  const run = (script: string) =>
    new Promise<{ status: number | null; output: string }>((resolve) => {
      const enter = ['--target', first, '--mount', '--pid', '--root', '--wd'];
      const env = {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
        DEBIAN_FRONTEND: 'noninteractive',
      };
      const shell = spawn('nsenter', [...enter, 'bash', '-euo', 'pipefail', '-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [shell.stdout, shell.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      // Not `close`: a daemon that the script started may keep the pipe.
      shell.once('exit', (status) => setImmediate(() => resolve({ status, output })));
    });
  return {
    run,
    async works(script) {
      const text = typeof script === 'string' ? script : script.text;
      const { status, output } = await run(text);
      if (status !== 0) throw new Error(`exit status ${status}: ${text}\n${output}`);
      return output;
    },
    put(from, to) {
      mkdirSync(dirname(inside(to)), { recursive: true });
      copyFileSync(from, inside(to));
    },
    write: (path, text) => writeFileSync(inside(path), text),
    read: (path) => readFileSync(inside(path), 'utf8'),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
