import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import pLimit, { type LimitFunction } from 'p-limit';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import type { ReadMessage } from './read-message.ts';
import type { SentEmail } from './sent-email.ts';

/** A message for a reader process: its bytes (RFC 5322), and the email that it answers, if known. */
export interface RawMessage {
  raw: Uint8Array;
  sent: SentEmail | null;
}

/** A message that the reader failed on. `reason` says what happened, for display. */
interface Unreadable {
  reason: string;
}

/** A message of which only the beginning was read. */
interface PartlyRead extends ReadMessage, Unreadable {}

/** The result for one message: read, read in part, or not read. */
export type Outcome = ReadMessage | PartlyRead | Unreadable;

export interface ReaderLimits {
  /** Heap limit of a reader. */
  megabytes: number;
  /** Time limit for one message. */
  seconds: number;
  /** Readers that may run at the same time. A workspace uses at most one. */
  readers: number;
}

const LIMITS: ReaderLimits = { megabytes: 128, seconds: 5, readers: 2 };
const START_SECONDS = 30;
/** Idle readers exit after this time, to free their memory. */
const IDLE_TIMEOUT = 5 * MINUTE;
/** A message that a reader failed on is read again up to this length. */
export const BEGINNING_BYTES = 64 * 1024;

/** Returns the environment of a reader: the time zone for dates without one, and the folder of the compile cache. No secrets. */
function environment(): NodeJS.ProcessEnv {
  const zone = { TZ: Intl.DateTimeFormat().resolvedOptions().timeZone };
  const cache = getCompileCacheDir();
  return cache === undefined ? zone : { ...zone, NODE_COMPILE_CACHE: cache };
}

const PROGRAM = new URL('./reader-process.ts', import.meta.url);

/**
 * Reads messages in separate processes, because messages are untrusted: one that takes too much memory or time, or crashes its reader,
 * affects neither the daemon nor other messages (docs/decisions/messages-are-read-in-processes.md). Readers start on demand, get no
 * secrets, and exit with the daemon.
 */
export class MessageReaders {
  readonly #limits: ReaderLimits;
  /** Limits the number of readers, because each may use memory up to its limit. */
  readonly #all: LimitFunction;
  /** Keeps the mailboxes of one workspace from taking all readers. */
  readonly #workspaces = new Map<number, LimitFunction>();
  readonly #idle: ChildProcess[] = [];
  readonly #idleTimer = setTimeout(() => this.close(), IDLE_TIMEOUT).unref();

  constructor(limits: ReaderLimits = LIMITS) {
    this.#limits = limits;
    this.#all = pLimit(limits.readers);
  }

  /**
   * Classifies raw messages (RFC 5322) of a workspace. Returns the outcomes in the same order. Throws if no reader can be started.
   * @param sent the email that all of them answer, if known
   */
  read(workspaceId: number, raws: readonly Uint8Array[], sent: SentEmail | null = null): Promise<Outcome[]> {
    const ofWorkspace = this.#workspaces.get(workspaceId) ?? pLimit(1);
    this.#workspaces.set(workspaceId, ofWorkspace);
    return ofWorkspace(() => this.#all(() => this.#read(raws.map((raw) => ({ raw, sent })))));
  }

  async #read(messages: readonly RawMessage[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    while (outcomes.length < messages.length) {
      const { done, failure } = await this.#batch(messages.slice(outcomes.length));
      outcomes.push(...done);
      const culprit = messages[outcomes.length];
      if (failure !== undefined && culprit !== undefined) outcomes.push(await this.#beginning(culprit, failure));
    }
    return outcomes;
  }

  /**
   * Tells idle readers to exit. Killed readers would not write their compile cache, and the next one would take three times as long to
   * start.
   */
  close(): void {
    for (const reader of this.#idle.splice(0)) reader.disconnect();
  }

  /** Reads the beginning of a message, which is where an author would opt out. */
  async #beginning({ raw, sent }: RawMessage, reason: string): Promise<Outcome> {
    const [read] = (await this.#batch([{ raw: raw.subarray(0, BEGINNING_BYTES), sent }])).done;
    if (read === undefined) return { reason };
    return raw.length <= BEGINNING_BYTES ? read : { ...read, reason };
  }

  /** Reads messages until the reader fails on one. */
  async #batch(messages: readonly RawMessage[]): Promise<{ done: ReadMessage[]; failure?: string }> {
    const reader = this.#idle.pop() ?? (await this.#start());
    const done: ReadMessage[] = [];
    const failure = await new Promise<string | undefined>((resolve) => {
      const onMessage = (message: ReadMessage) => {
        done.push(message);
        if (done.length === messages.length) end(undefined);
        else timer.refresh();
      };
      const onExit = (_code: number | null, signal: string | null) =>
        end(
          signal === 'SIGABRT'
            ? `reading it takes more than ${this.#limits.megabytes} MB of memory`
            : 'reading it crashes the reader process',
        );
      const timer = setTimeout(() => end(`reading it takes more than ${this.#limits.seconds} s`), this.#limits.seconds * SECOND);
      const end = (reason: string | undefined) => {
        clearTimeout(timer);
        reader.off('message', onMessage).off('exit', onExit);
        resolve(reason);
      };
      reader.on('message', onMessage).on('exit', onExit);
      reader.send(messages, (error) => error && end(messageOf(error)));
    });
    this.#idleTimer.refresh();
    if (failure === undefined) this.#idle.push(reader);
    else reader.kill('SIGKILL');
    return failure === undefined ? { done } : { done, failure };
  }

  async #start(): Promise<ChildProcess> {
    const reader = fork(PROGRAM, [], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${this.#limits.megabytes}`, '--max-semi-space-size=8'],
      env: environment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const problem = await new Promise<string | undefined>((resolve) => {
      const timer = setTimeout(resolve, START_SECONDS * SECOND, 'it took too long');
      reader.once('message', () => resolve(undefined));
      reader.once('error', (error) => resolve(messageOf(error)));
      reader.once('exit', (code) => resolve(`it exited with status ${code}`));
      reader.once('message', () => clearTimeout(timer));
    });
    if (problem !== undefined) {
      reader.kill('SIGKILL');
      throw new Error(`could not start a process that reads messages: ${problem}`);
    }
    // An idle reader must not keep this process alive.
    reader.unref();
    reader.channel?.unref();
    reader.on('error', () => undefined);
    reader.once('exit', () => this.#forget(reader));
    return reader;
  }

  #forget(reader: ChildProcess): void {
    const at = this.#idle.indexOf(reader);
    if (at !== -1) this.#idle.splice(at, 1);
  }
}
