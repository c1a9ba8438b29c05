import { afterEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { type Placed, type Room, roomFor } from '../../src/core/room.ts';
import { readPlaced } from '../../src/db/in-turns.ts';
import { type Sql, sql } from '../../src/db/statement.ts';
import { Rounds } from '../../src/jobs/index.ts';
import { testInstallation } from '../support/database.ts';
import { waitUntil } from '../support/wait-until.ts';

const { app } = await testInstallation();

/** Items that are due, by id, and what becomes of them. */
class Work {
  readonly due = new Map<number, number>();
  readonly done: number[] = [];
  readonly looks: Room[] = [];
  /** Failures of the database to come. */
  failures = 0;
  /** Items whose servers are silent until they are let go. */
  silent: (id: number) => boolean = () => false;
  /** Items whose work throws. */
  broken: (id: number) => boolean = () => false;
  readonly #held: (() => void)[] = [];

  add(workspaceId: number, count: number): void {
    for (let index = 0; index < count; index++) this.due.set(this.due.size + this.done.length + 1, workspaceId);
  }

  async look(room: Room): Promise<Placed[]> {
    if (this.failures-- > 0) throw new Error('the database is away');
    this.looks.push(room);
    const rows = [...this.due].map(([id, workspaceId]) => sql`(${id}::int, ${workspaceId}::int, null::timestamptz)`);
    if (rows.length === 0) return [];
    return readPlaced(app.db, room, sql`select * from (values ${joined(rows)}) v (id, workspace_id, due_at)`);
  }

  async run({ id }: Placed): Promise<void> {
    if (this.silent(id)) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.broken(id)) throw new Error('meant to fail');
    this.due.delete(id);
    this.done.push(id);
  }

  letGo(): void {
    this.silent = () => false;
    for (const resume of this.#held) resume();
  }
}

const joined = (rows: Sql[]): Sql => rows.reduce((all, row) => sql`${all}, ${row}`);

const quiet = { ...app, log: { warn: () => undefined, error: () => undefined } } as unknown as App;
let rounds: Rounds<Placed>;
let work: Work;

function start(change: Partial<Work>, counts: readonly [workspaceId: number, count: number][]): void {
  work = Object.assign(new Work(), change);
  for (const [workspaceId, count] of counts) work.add(workspaceId, count);
  const round = {
    name: 'test work',
    places: 20,
    due: (_app: App, room: Room) => work.look(room),
    run: (_app: App, item: Placed) => work.run(item),
  };
  rounds = new Rounds(quiet, round, { period: 20, retry: 20 });
  rounds.start();
}
afterEach(async () => {
  work.letGo();
  await rounds.stop();
});

/** docs/security.md: a manager's key can't "keep other workspaces waiting". */
describe('work on outside servers', () => {
  it('all that is due is done, in groups', async () => {
    start({}, [[1, 300]]);
    await waitUntil('all is done', () => work.done.length === 300);
    expect(new Set(work.done).size).toBe(300);
    expect(work.looks.length).toBeLessThan(150);
  });

  it('a workspace whose servers are all silent has half of the places, and the others are served', async () => {
    start({ silent: (id) => id <= 200 }, [
      [1, 200],
      [2, 30],
    ]);
    await waitUntil('the other workspace is done', () => work.done.length === 30);
    expect(work.looks.at(-1)?.left.get(1) ?? 0).toBe(0);
    expect(work.due.size).toBe(200);
  });

  it('a third workspace is served where those of two are silent', async () => {
    start({ silent: (id) => id <= 200 }, [
      [1, 100],
      [2, 100],
      [3, 30],
    ]);
    await waitUntil('the third is done', () => work.done.length === 30);
  });

  it('some silent servers of a workspace do not hold up its others', async () => {
    start({ silent: (id) => id <= 9 }, [[1, 60]]);
    await waitUntil('the others are done', () => work.done.length === 51);
  });

  it('what fails rests, and holds up nothing else', async () => {
    let tries = 0;
    start(
      {
        broken: (id) => {
          if (id === 1) tries++;
          return id === 1;
        },
      },
      [[1, 40]],
    );
    await waitUntil('the others are done', () => work.done.length === 39);
    const looks = work.looks.length;
    await waitUntil('five more looks', () => work.looks.length >= looks + 5);
    expect(tries).toBe(1);
  });

  it('after a failure of the database it is asked again', async () => {
    start({ failures: 2 }, [[1, 10]]);
    await waitUntil('all is done', () => work.done.length === 10);
    expect(rounds.problem()).toBeUndefined();
  });

  it('stop waits for what runs, and begins nothing more', async () => {
    start({ silent: () => true }, [[1, 100]]);
    await waitUntil('the share is taken', () => work.looks.at(-1)?.left.get(1) === 0);
    let isStopped = false;
    const stopping = rounds.stop().then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    work.letGo();
    await stopping;
    expect(work.done).toHaveLength(10);
  });
});

describe('room', () => {
  it('a workspace takes half of what the others leave, so that some place stays free', () => {
    const running: Placed[] = [];
    // Each round all workspaces want as much as they can get.
    for (let round = 0; round < 50; round++) {
      const room = roomFor(200, running);
      let begun = 0;
      for (let workspaceId = 1; workspaceId <= 5; workspaceId++) {
        const most = Math.min(room.left.get(workspaceId) ?? room.each, room.most - begun);
        for (let taken = 0; taken < most; taken++, begun++) running.push({ id: running.length, workspaceId });
      }
    }
    expect(running.length).toBeLessThan(200);
    expect(Math.max(...[1, 2, 3, 4, 5].map((id) => running.filter(({ workspaceId }) => workspaceId === id).length))).toBeLessThanOrEqual(
      100,
    );
    expect(roomFor(200, running).each).toBeGreaterThanOrEqual(1);
  });

  it('a single workspace has half of the places at once', () => {
    expect(roomFor(200)).toMatchObject({ most: 100, each: 100 });
  });
});
