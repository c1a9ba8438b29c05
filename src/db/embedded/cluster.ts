import { type ExecFileOptions, execFile } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '../../core/process-alive.ts';
import { draftOf } from '../../files/draft-file.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { lastWords } from './last-words.ts';
import { freePort } from './ports.ts';
import { ROLE } from './role.ts';
import { findRunning, isNameable, serverPid } from './running.ts';
import { reachable, type ServerUser, serverUser } from './server-user.ts';

const START_SECONDS = 60;
const STOP_SECONDS = 60;
const CHECK_MILLISECONDS = 50;
/** PostgreSQL's error if another process is starting the server, or if the last server was killed and has not ended yet. */
const ANOTHER_SERVER = /lock file|shared memory block/;
/** Time until the next attempt to start it in that case. */
const WAIT_SECONDS = 0.5;
/** The folder of the socket, relative to the server's: the server's own folder, which only its user may enter. */
const SOCKET_FOLDER = '.';
/** Keeps statements, their parameters and the keys of refused rows out of the log, because erasing a person doesn't change the log. */
const NO_PERSONAL_DATA = '-c log_min_error_statement=panic -c log_error_verbosity=terse';
/** Octets after which the log becomes `server.log.1`, at the next start. */
const MAX_LOG = 10 * 1024 * 1024;
const SETTINGS = `
max_connections = 200
shared_buffers = 256MB
password_encryption = 'scram-sha-256'
log_timezone = 'UTC'
timezone = 'UTC'
`;

/** Opens the cluster of a data directory, with the programs that npm installed. */
export function openCluster(dataDir: string, folder: string): Cluster {
  const user = serverUser(folder);
  return new Cluster(folder, findBinaries(dataDir, user), user);
}

/** The folder of one server's databases (PostgreSQL calls it a cluster), and what pg_ctl does with it. */
export class Cluster {
  readonly folder: string;
  readonly #binaries: Binaries;
  readonly #user: ServerUser;

  constructor(folder: string, binaries: Binaries, user: ServerUser) {
    this.folder = folder;
    this.#binaries = binaries;
    this.#user = user;
  }

  get isInitialised(): boolean {
    return existsSync(join(this.folder, 'PG_VERSION'));
  }

  /** The log of the server. */
  get logFile(): string {
    return join(this.folder, 'server.log');
  }

  /**
   * Creates the cluster. Its folder gets its name only when it is complete. Leaves the role's password in `passwordFile`, which only this
   * user can read.
   */
  async initialise(password: string, passwordFile: string): Promise<void> {
    const partial = `${this.folder}.partial`;
    const handOver = draftOf(passwordFile);
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { mode: 0o700 });
    writeFileSync(handOver, `${password}\n`, { mode: 0o600, flag: 'wx' });
    this.#giveToServer(partial);
    this.#giveToServer(handOver);
    if (this.#user.uid !== undefined && !reachable(join(partial, 'PG_VERSION'), this.#user))
      throw new Error(
        `the user postgres, who must run the server because root can't, has no access to ${dirname(this.folder)}; choose another data directory with OUTREACH_DATA_DIR`,
      );
    const locale = ['--encoding', 'UTF8', '--locale', 'C.UTF-8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
    const login = ['--username', ROLE, '--auth', 'scram-sha-256', '--pwfile', handOver];
    try {
      await run(this.#binaries.initdb, ['--pgdata', partial, ...login, ...locale], { ...this.#user, cwd: partial });
      writeFileSync(join(partial, 'postgresql.auto.conf'), SETTINGS, { flag: 'a' });
      renameSync(handOver, passwordFile);
    } finally {
      rmSync(handOver, { force: true });
    }
    if (this.#user.uid !== undefined) chownSync(passwordFile, 0, 0);
    renameSync(partial, this.folder);
  }

  /** Starts the server unless it runs. Returns true if this call started it. */
  async ensureRunning(): Promise<boolean> {
    let sockets = SOCKET_FOLDER;
    let [failures, waits] = [0, 0];
    while ((await findRunning(this.folder)) === undefined) {
      const port = await this.#choosePort();
      // Any user of the machine could take all connections of a port. Only the server's user may enter the folder of the socket.
      const needsPort = sockets === '' || !isNameable(resolve(this.folder, sockets), port);
      const options = `-p ${port} -k "${sockets}" -c listen_addresses=${needsPort ? '127.0.0.1' : "''"} ${NO_PERSONAL_DATA}`;
      this.#ensureLogFile();
      const logged = statSync(this.logFile).size;
      try {
        const waiting = ['--wait', '--timeout', String(START_SECONDS), '--silent'];
        await this.#control('start', '--log', this.logFile, ...waiting, '--options', options);
        return true;
      } catch (error) {
        const reason = this.#startFailure(logged);
        // Any other error may mean that the port was taken in the meantime: try again.
        if (ANOTHER_SERVER.test(reason?.message ?? '') && waits * WAIT_SECONDS < START_SECONDS) {
          waits++;
          await this.#waitForStart(WAIT_SECONDS);
        } else if (++failures >= 3) throw reason ?? error;
        // Some shared folders can't hold a socket.
        if (reason?.message.includes('Unix-domain socket')) sockets = '';
      }
    }
    return false;
  }

  /** Waits up to `seconds` for a server that another process is starting. */
  async #waitForStart(seconds: number): Promise<void> {
    for (let waited = 0; waited < seconds * 1_000 && (await findRunning(this.folder)) === undefined; waited += CHECK_MILLISECONDS)
      await pause(CHECK_MILLISECONDS);
  }

  /** Reads from the log why the server did not start, since pg_ctl does not say. Returns undefined if the log has no reason. */
  #startFailure(since: number): Error | undefined {
    const said = readFileSync(this.logFile).subarray(since).toString('utf8');
    const words = lastWords(said);
    if (words?.includes('incompatible with server')) return new Error(this.#upgradeAdvice());
    return words === undefined ? undefined : new Error(words);
  }

  /** Says what to do with files that only another major version of PostgreSQL reads. */
  #upgradeAdvice(): string {
    const major = readFileSync(join(this.folder, 'PG_VERSION'), 'utf8').trim();
    return (
      `its files belong to PostgreSQL ${major}, and this version of Outreach includes another one; ` +
      `run: mv ${this.folder} ${this.folder}-${major}, and outreach restore FILE with a backup; ` +
      'to make one, install the version before this one again (docs/upgrading.md)'
    );
  }

  /**
   * Stops the server. This waits itself: if another command restarted the server at that moment, pg_ctl would wait for the new one, and
   * then fail.
   * @returns true when it has ended; false if that takes longer than a minute, after which it still ends on its own
   */
  async stop(): Promise<boolean> {
    const pid = serverPid(this.folder);
    await this.#control('stop', '--mode', 'fast', '--no-wait', '--silent').catch((error: unknown) => {
      // Another command stopped it first.
      if (serverPid(this.folder) === pid && isAlive(pid)) throw error;
    });
    for (let waited = 0; waited < STOP_SECONDS * 1_000; waited += CHECK_MILLISECONDS) {
      if (serverPid(this.folder) !== pid || !isAlive(pid)) return true;
      await pause(CHECK_MILLISECONDS);
    }
    return false;
  }

  /** Returns the port of the last start if it is free, so that connection strings in use stay valid; otherwise any free port. */
  async #choosePort(): Promise<number> {
    const options = join(this.folder, 'postmaster.opts');
    const last = existsSync(options) ? Number(/"-p" "(\d+)"/.exec(readFileSync(options, 'utf8'))?.[1] ?? 0) : 0;
    return freePort(last).catch(() => freePort(0));
  }

  #ensureLogFile(): void {
    if (existsSync(this.logFile) && statSync(this.logFile).size > MAX_LOG) renameSync(this.logFile, `${this.logFile}.1`);
    if (existsSync(this.logFile)) return;
    closeSync(openSync(this.logFile, 'a', 0o600));
    this.#giveToServer(this.logFile);
  }

  #giveToServer(path: string): void {
    if (this.#user.uid !== undefined && this.#user.gid !== undefined) chownSync(path, this.#user.uid, this.#user.gid);
  }

  async #control(action: 'start' | 'stop', ...options: string[]): Promise<void> {
    await run(this.#binaries.pg_ctl, [action, '--pgdata', this.folder, ...options], { ...this.#user, cwd: this.folder });
  }
}

/** Runs a program of PostgreSQL. Rejects with the error of `execFile` and what the program wrote to `stderr`. */
const run = (file: string, args: string[], options: ExecFileOptions) =>
  new Promise<void>((resolve, reject) =>
    execFile(file, args, options, (error, _, stderr) => (error === null ? resolve() : reject(Object.assign(error, { stderr })))),
  );
