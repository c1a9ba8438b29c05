import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiKey } from '../../src/access/index.ts';
import { conflict } from '../../src/core/errors.ts';
import { prepared, sql } from '../../src/db/statement.ts';
import type { Tx } from '../../src/db/transaction.ts';
import { openRuntime } from '../../src/main/runtime.ts';
import { testInstallation } from '../support/database.ts';

const { app, databaseUrl } = await testInstallation();
const { db } = app;

const workspaces = async () => (await db.query<{ name: string }>(sql`select name from workspaces order by id`)).map(({ name }) => name);
const rename = (name: string) => sql`update workspaces set name = ${name} where id = 1`;
const keyNames = async () => (await db.query<{ name: string }>(sql`select name from api_keys order by id`)).map(({ name }) => name);
const newKey = (name: string) => ({
  workspace_id: 1,
  user_id: 1,
  name,
  prefix: name.slice(0, 8),
  hash: Buffer.from(name),
  scopes: ['read' as const],
  created_at: app.clock.now(),
});

const run = db.tx;

const emOf = async (tx: Tx) => (await tx.entity('ApiKey')).em;

describe('a transaction', () => {
  it('is rolled back when its work throws, and what waits for its commit is dropped', async () => {
    const done: string[] = [];
    const change = (name: string, fail: boolean) =>
      run(async (tx) => {
        tx.afterCommit(async () => void done.push(name));
        await tx.query(rename(name));
        if (fail) throw conflict('stop');
        return name;
      });
    await expect(change('rolled back', true)).rejects.toThrow('stop');
    expect(await change('committed', false)).toBe('committed');
    expect(await workspaces()).toEqual(['committed']);
    expect(done).toEqual(['committed']);
  });

  it('is run again after a deadlock that PostgreSQL ended', async () => {
    let runs = 0;
    await run(async (tx) => {
      runs++;
      await tx.query(rename(`run ${runs}`));
      if (runs === 1) await tx.query(sql`do $$ begin raise sqlstate '40P01'; end $$`);
    });
    expect(await workspaces()).toEqual(['run 2']);
  });

  it('has all that it needs on its own connection, also for the first record of a process: others may never be free', async () => {
    const single = await openRuntime({ ...app.config, databaseUrl }, { poolSize: 1 });
    onTestFinished(() => single.close());
    await single.app.db.tx(async (tx) => void (await emOf(tx)).create(ApiKey, newKey('on its own')));
    expect(await keyNames()).toContain('on its own');
    await db.query(sql`delete from api_keys where name = 'on its own'`);
  });

  it('whose connection is cut fails, and the next one has another', async () => {
    const pid = prepared('pid', sql`select pg_backend_pid() as pid`);
    const cut = async (id: number | undefined) => void (await db.query(sql`select pg_terminate_backend(${id ?? 0})`));
    await expect(
      run(async (tx) => {
        await cut((await tx.query<{ pid: number }>(pid))[0]?.pid);
        await tx.query(rename('lost'));
      }),
    ).rejects.toThrow();
    expect(await run((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
    expect(await workspaces()).not.toContain('lost');
  });

  it('runs what is asked at once in turn, as pg wants it, and a part that fails takes the rest with it', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => void warnings.push(warning.message);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    const answers = await run((tx) => Promise.all([1, 2, 3].map((n) => tx.query<{ n: number }>(sql`select ${n}::int as n`))));
    expect(answers.map(([row]) => row?.n)).toEqual([1, 2, 3]);
    await expect(run((tx) => Promise.all([tx.query(rename('half')), tx.query(sql`select 1 / 0`)]))).rejects.toThrow('division by zero');
    expect(await workspaces()).not.toContain('half');
    expect(warnings).toEqual([]);
  });

  it('does not pass for committed when a failed statement was passed over', async () => {
    const work = run(async (tx) => {
      await tx.query(rename('passed over'));
      await tx.query(sql`select 1 / 0`).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('nothing was changed, because a statement of the transaction failed');
    expect(await workspaces()).not.toContain('passed over');
  });

  it('whose commit is cut says that nobody knows whether the change was made', async () => {
    const deferred = sql`create constraint trigger cut after update on workspaces deferrable initially deferred for each row
      execute function pg_temp.cut()`;
    const work = run(async (tx) => {
      await tx.query(sql`create function pg_temp.cut() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
      await tx.query(deferred);
      await tx.query(rename('cut'));
    });
    await expect(work).rejects.toThrow('it is unknown whether the change was made, because its commit failed: ');
    expect(await workspaces()).not.toContain('cut');
  });

  it('refuses statements after its end, when its connection is somebody else’s', async () => {
    let kept: Tx | undefined;
    await run(async (tx) => {
      kept = tx;
    });
    await expect(kept?.query(rename('late'))).rejects.toThrow('the transaction is over');
  });
});

/** Fears an upgrade of MikroORM or Kysely after which entities no longer run on the connection of the transaction. */
describe('entities in a transaction', () => {
  it('are written before the next statement, which sees them', async () => {
    await db.tx(async (tx) => {
      const key = (await emOf(tx)).create(ApiKey, newKey('seen'));
      expect(await tx.query(sql`select id from api_keys where name = 'seen'`)).toEqual([{ id: key.id }]);
      key.name = 'changed';
      expect(await tx.query(sql`select 1 from api_keys where id = ${key.id} and name = 'changed'`)).toHaveLength(1);
    });
    expect(await keyNames()).toContain('changed');
  });

  it('are written before the commit where no statement follows, and rolled back with the rest', async () => {
    await db.tx(async (tx) => void (await emOf(tx)).create(ApiKey, newKey('last')));
    const failing = db.tx(async (tx) => {
      (await emOf(tx)).create(ApiKey, newKey('never'));
      await tx.query(sql`select 1`);
      throw conflict('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await keyNames()).toContain('last');
    expect(await keyNames()).not.toContain('never');
  });

  it('share the connection of its statements: what a statement wrote is read, and locked rows are not waited for', async () => {
    await db.tx(async (tx) => {
      await tx.query(sql`update api_keys set name = 'by statement' where id = 1`);
      expect((await (await emOf(tx)).findOneOrFail(ApiKey, 1)).name).toBe('by statement');
    });
  });

  it('that break a rule of the table end the statement that follows', async () => {
    const failing = db.tx(async (tx) => {
      (await emOf(tx)).create(ApiKey, { ...newKey('twice'), hash: Buffer.from('last') });
      await tx.query(sql`select 1`);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
  });

  it('are one in a transaction, known by their names', async () => {
    await db.tx(async (tx) => {
      const [key, workspace] = [await tx.entity('ApiKey'), await tx.entity('Workspace')];
      expect(key.em).toBe(workspace.em);
      expect([key.metadata.tableName, workspace.metadata.tableName]).toEqual(['api_keys', 'workspaces']);
      await expect(tx.entity('Nothing')).rejects.toThrow('no entity Nothing');
    });
  });
});

describe('a savepoint', () => {
  it('is undone alone, with the parts in it, and the rest goes on', async () => {
    await db.tx(async (tx) => {
      await tx.query(rename('outer'));
      const part = tx.savepoint(async (inner) => {
        await inner.savepoint((innermost) => innermost.query(rename('innermost')));
        await inner.query(sql`select 1 / 0`);
      });
      await expect(part).rejects.toThrow('division by zero');
      await tx.savepoint(async (inner) => {
        await expect(inner.savepoint((innermost) => innermost.query(sql`select 1 / 0`))).rejects.toThrow('division by zero');
        await inner.query(sql`update workspaces set name = name || ', second' where id = 1`);
      });
    });
    expect(await workspaces()).toEqual(['outer, second']);
  });

  it('begins with the entities outside of it written, has its own, and writes them before it ends', async () => {
    await db.tx(async (tx) => {
      const outside = await (await emOf(tx)).findOneOrFail(ApiKey, 1);
      outside.name = 'outside';
      await tx.savepoint(async (inner) => {
        const inside = await (await emOf(inner)).findOneOrFail(ApiKey, 1);
        expect(inside).not.toBe(outside);
        expect(inside.name).toBe('outside');
        inside.name = 'inside';
      });
      expect(await tx.query(sql`select name from api_keys where id = 1`)).toEqual([{ name: 'inside' }]);
    });
    expect(await keyNames()).toContain('inside');
  });

  it('that fails leaves nothing of its entities behind', async () => {
    await db.tx(async (tx) => {
      const part = tx.savepoint(async (inner) => {
        (await emOf(inner)).create(ApiKey, newKey('undone'));
        throw conflict('stop');
      });
      await expect(part).rejects.toThrow('stop');
    });
    expect(await keyNames()).not.toContain('undone');
  });
});
