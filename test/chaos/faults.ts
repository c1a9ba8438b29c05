import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { FaultName, PlannedFault } from './plan.ts';
import { isSettled, type Recoveries, readsAgain, sendsAgain } from './recoveries.ts';
import { fillDisk } from './small-disk.ts';
import type { Place } from './smtp-conversation.ts';
import { ownerOf } from './socket-owner.ts';
import type { Wire, WireState } from './wire.ts';
import { polledAccounts, type World } from './world.ts';

/** Maximum time to wait until a daemon reaches a place in a conversation, in seconds. */
const MAX_AIM_SECONDS = 5;
/** Maximum time until enough daemons run, in seconds. */
const MAX_ABSENCE_SECONDS = 600;
/** Share of the daemons that must run when the next one is killed: daemons that are only starting send nothing. */
const MIN_RUNNING_SHARE = 0.6;
/** Jumps of one daemon's clock. Beyond five minutes it notices them. */
const JUMPS = ['+30s', '+90s', '-90s', '+1h', '-1h', '+1d', '-1d'];

/** Carries out faults, and has the time until recovery measured. */
export class Faults {
  readonly #world: World;
  readonly #recoveries: Recoveries;
  readonly #direct: string;
  readonly #isOver: () => boolean;

  /** @param isOver returns true when no fault may begin any more, not even one that waits for daemons to run */
  constructor(world: World, recoveries: Recoveries, isOver: () => boolean) {
    this.#isOver = isOver;
    this.#world = world;
    this.#recoveries = recoveries;
    this.#direct = `postgres://tester:secret@127.0.0.1:${world.postgres.port}/postgres`;
  }

  /** Carries out one fault and resolves when it is over. It does not wait for the recovery. */
  async carryOut(fault: PlannedFault): Promise<void> {
    await this.#actions[fault.name](fault);
  }

  readonly #actions: Record<FaultName, (fault: PlannedFault) => Promise<void>> = {
    'daemon killed before DATA': (fault) => this.#killAt('before DATA', fault),
    'daemon killed inside a message': (fault) => this.#killAt('inside a message', fault),
    'daemon killed after the final dot': (fault) => this.#killAt('after the final dot', fault),
    'daemon killed after the reply': (fault) => this.#killAt('after the reply', fault),
    'daemon killed anywhere': async (fault) => this.#kill(fault, await this.#daemon(fault)),
    'daemon stopped and continued': async (fault) => {
      const daemon = await this.#daemon(fault);
      if (daemon === undefined) return;
      await this.#world.fleet.freeze(daemon.pid, fault.seconds);
      this.#watchSending(fault);
    },
    'daemon in another time': async (fault) => {
      this.#world.fleet.setClock(JUMPS[fault.lot % JUMPS.length] ?? '+0');
      await wait(fault.seconds * 1_000);
      this.#world.fleet.setClock('+0');
      this.#watchSending(fault);
    },
    'PostgreSQL killed': async (fault) => {
      this.#world.postgres.kill();
      await wait(fault.seconds * 1_000);
      await this.#startPostgres();
      this.#watchSending(fault);
    },
    'PostgreSQL connections ended': (fault) => this.#endConnections(fault, "application_name like 'outreach%' and pid % 3 = 0"),
    'job store connections ended': (fault) => this.#endConnections(fault, "application_name = 'outreach jobs'"),
    'PostgreSQL read-only': async (fault) => {
      await this.#world.postgres.set({ default_transaction_read_only: 'on' });
      await wait(fault.seconds * 1_000);
      await this.#world.postgres.set({ default_transaction_read_only: 'off' });
      this.#watchSending(fault);
    },
    'PostgreSQL disk full': async (fault) => {
      const makeRoom = fillDisk(this.#world.disk ?? '');
      await wait(fault.seconds * 1_000);
      makeRoom();
      // PostgreSQL ends itself when it can't write its log.
      await this.#startPostgres();
      this.#watchSending(fault);
    },
    'PostgreSQL slow': (fault) => this.#disturb(fault, [this.#world.wires.postgres], 'slow'),
    'PostgreSQL silent': (fault) => this.#disturb(fault, [this.#world.wires.postgres], 'silent'),
    'PostgreSQL cut off': (fault) => this.#disturb(fault, [this.#world.wires.postgres], 'cut'),
    'SMTP server killed': async (fault) => {
      const sink = this.#world.sinks[fault.lot % this.#world.sinks.length];
      sink?.kill();
      await wait(fault.seconds * 1_000);
      await sink?.start();
      this.#recoveries.watch(fault.name, sendsAgain(this.#accountsOf(sink?.name)));
    },
    'SMTP slow': (fault) => this.#disturb(fault, this.#world.wires.smtp, 'slow'),
    'SMTP silent': (fault) => this.#disturb(fault, this.#world.wires.smtp, 'silent'),
    'SMTP cut off': (fault) => this.#disturb(fault, this.#world.wires.smtp, 'cut'),
    'IMAP server killed': async (fault) => {
      await this.#world.imap?.killAndRestart();
      this.#recoveries.watch(fault.name, readsAgain(polledAccounts(this.#world)));
    },
    'IMAP cut off': (fault) => this.#disturbImap(fault, 'cut'),
    'IMAP silent': (fault) => this.#disturbImap(fault, 'silent'),
    'job store lost': async (fault) => {
      await this.#query('delete from agenda_jobs');
      // As documented, the next start recreates it.
      this.#kill(fault, await this.#daemon(fault));
    },
    'job server killed': async (fault) => {
      this.#world.jobServer?.kill();
      await wait(fault.seconds * 1_000);
      await this.#world.jobServer?.start();
      this.#watchSending(fault);
    },
  };

  /** Kills the first daemon that reaches a place. Nothing more of that connection passes. */
  async #killAt(place: Place, fault: PlannedFault): Promise<void> {
    if ((await this.#daemon(fault)) === undefined) return;
    const wire = this.#world.wires.smtp[fault.lot % this.#world.wires.smtp.length];
    const port = await wire?.catchClient(place, MAX_AIM_SECONDS);
    const { running } = this.#world.fleet;
    const owner =
      port === undefined
        ? undefined
        : ownerOf(
            port,
            running.map(({ pid }) => pid),
          );
    this.#kill(fault, running.find(({ pid }) => pid === owner) ?? (await this.#daemon(fault)));
  }

  #kill({ name }: PlannedFault, daemon: DaemonProcess | undefined): void {
    if (daemon === undefined) return;
    this.#world.fleet.kill(daemon.pid);
    this.#recoveries.watch(name, isSettled(daemon.pid));
  }

  /** Returns a running daemon, as soon as enough of them run; undefined when no fault may begin any more. */
  async #daemon({ lot }: PlannedFault): Promise<DaemonProcess | undefined> {
    const { fleet } = this.#world;
    const areEnough = () => fleet.running.length >= fleet.size * MIN_RUNNING_SHARE;
    try {
      await waitUntil('enough daemons run', () => areEnough() || this.#isOver(), MAX_ABSENCE_SECONDS);
    } catch (error) {
      throw new Error(fleet.lastFailure, { cause: error });
    }
    return this.#isOver() ? undefined : fleet.running[lot % fleet.running.length];
  }

  async #disturb(fault: PlannedFault, wires: readonly Wire[], state: WireState): Promise<void> {
    await hold(wires, state, fault.seconds);
    this.#watchSending(fault);
  }

  async #disturbImap(fault: PlannedFault, state: WireState): Promise<void> {
    await hold(this.#world.wires.imap === undefined ? [] : [this.#world.wires.imap], state, fault.seconds);
    this.#recoveries.watch(fault.name, readsAgain(polledAccounts(this.#world)));
  }

  async #endConnections(fault: PlannedFault, which: string): Promise<void> {
    await this.#query(`select pg_terminate_backend(pid) from pg_stat_activity where ${which} and pid <> pg_backend_pid()`);
    this.#watchSending(fault);
  }

  #watchSending({ name }: PlannedFault): void {
    this.#recoveries.watch(name, sendsAgain(this.#accountsOf(undefined)));
  }

  #accountsOf(sink: string | undefined): number[] {
    return [...this.#world.accounts].filter(([, account]) => sink === undefined || account.sink === sink).map(([id]) => id);
  }

  /** Tries until it accepts connections, as a service manager would, since children of a killed postmaster may still be ending. */
  #startPostgres(): Promise<unknown> {
    const isUp = () =>
      this.#queryOnce('select 1').then(
        () => true,
        () =>
          this.#world.postgres.start().then(
            () => true,
            () => false,
          ),
      );
    return waitUntil('PostgreSQL runs again', isUp, 120);
  }

  /** Retries until the query succeeds, since another fault may have stopped PostgreSQL. */
  #query(text: string): Promise<unknown> {
    const isDone = () =>
      this.#queryOnce(text).then(
        () => true,
        () => wait(200),
      );
    return waitUntil('PostgreSQL answers the run', isDone, 120);
  }

  async #queryOnce(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.#direct, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function hold(wires: readonly Wire[], state: WireState, seconds: number): Promise<void> {
  for (const wire of wires) wire.set(state);
  await wait(seconds * 1_000);
  for (const wire of wires) wire.set('open');
}
