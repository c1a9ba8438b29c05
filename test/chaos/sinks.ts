import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/db/embedded/ports.ts';
import { emailKey } from '../support/ledger.ts';
import { Restartable } from './restartable.ts';

const PATH = `${process.env.PATH ?? ''}:/usr/sbin`;
const SERVER = fileURLToPath(new URL('sink-server.ts', import.meta.url));

/** True if Postfix's `smtp-sink` is on this machine. Without arguments it prints its usage. */
export const hasSmtpSink = spawnSync('smtp-sink', [], { env: { PATH } }).error === undefined;

/** An email that a sink accepted. */
export interface TakenEmail {
  to: string;
  /** Recipient and step, as in the ledger. */
  key: string;
  raw: string;
}

/** An SMTP server in a separate process that stores accepted emails on the disk. */
export interface Sink {
  readonly name: 'own' | 'postfix';
  readonly port: number;
  /** Returns every email so far. One that came twice is there twice. */
  taken(): TakenEmail[];
  kill(): void;
  /** Restarts it on the same port and files. */
  start(): Promise<void>;
}

/** Starts our own sink: every message is in its log, and on the disk, before it is accepted. */
export async function startOwnSink(folder: string, password: string): Promise<Sink> {
  const [port, log] = [await freePort(0), join(folder, 'sink.log')];
  const program = new Restartable(port, () => spawn(process.execPath, [SERVER, String(port), log, password], { stdio: 'ignore' }));
  await program.start();
  const emails: TakenEmail[] = [];
  let read = 0;
  const entryOf = (line: string): TakenEmail[] => {
    try {
      const { to, raw } = JSON.parse(line) as { to: string[]; raw: string };
      return to.map((recipient) => takenEmail(recipient, raw));
    } catch {
      // The line was being written when the server was killed.
      return [];
    }
  };
  return {
    ...{ name: 'own', port, kill: () => program.kill(), start: () => program.start() },
    taken() {
      // Each part is read once, since the log only grows. Its last line may be incomplete.
      const text = existsSync(log) ? readFrom(log, read) : Buffer.alloc(0);
      const whole = text.lastIndexOf('\n') + 1;
      read += whole;
      emails.push(...text.subarray(0, whole).toString('utf8').split('\n').flatMap(entryOf));
      return emails;
    },
  };
}

/** Reads the rest of a file. @param position bytes to skip */
function readFrom(path: string, position: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const rest = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
    return rest.subarray(0, readSync(file, rest, 0, rest.length, position));
  } finally {
    closeSync(file);
  }
}

/** Starts Postfix's sink: it writes each message to a file, and removes the file of an incomplete message. */
export async function startPostfixSink(folder: string): Promise<Sink> {
  const [port, dump] = [await freePort(0), join(folder, 'dump')];
  mkdirSync(dump);
  chmodSync(dump, 0o777);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const words = [...user, '-d', `${dump}/m.`, `127.0.0.1:${port}`, '100'];
  const program = new Restartable(port, () => spawn('smtp-sink', words, { env: { PATH }, stdio: 'ignore' }));
  await program.start();
  return {
    ...{ name: 'postfix', port, kill: () => program.kill(), start: () => program.start() },
    taken: () => readdirSync(dump).flatMap((file) => dumpedEmail(readFileSync(join(dump, file), 'latin1'))),
  };
}

/** Parses an email in the format of smtp-sink(1). Returns none if it was being written when the server was killed. */
function dumpedEmail(text: string): TakenEmail[] {
  const to = /^X-Rcpt-Args: <([^>]+)>/m.exec(text)?.[1];
  const boundary = /boundary="?([^"\s;]+)/.exec(text)?.[1];
  return to === undefined || boundary === undefined || !text.includes(`--${boundary}--`) ? [] : [takenEmail(to, text)];
}

/** Parses an email. The step is in the body, because a follow-up has the subject of its thread. */
function takenEmail(to: string, raw: string): TakenEmail {
  return { to, key: emailKey(to, Number(/This is step (\d+)\./.exec(raw)?.[1] ?? 0)), raw };
}
