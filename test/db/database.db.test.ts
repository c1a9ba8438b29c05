import { beforeAll, describe, expect, it } from 'vitest';
import { ApiKey, createWorkspace } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { conflict } from '../../src/core/errors.ts';
import { sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';

let app: App;

beforeAll(async () => {
  ({ app } = await testInstallation());
});

const names = async () => (await app.db.query<{ name: string }>(sql`select name from workspaces order by id`)).map(({ name }) => name);

describe('a transaction seen as a database', () => {
  it('a change made through it is committed with the transaction and rolled back with it', async () => {
    const make = (name: string, fail: boolean) =>
      app.db.tx(async (outer) => {
        const bound = { ...app, db: app.db.within(outer) };
        await bound.db.tx((tx) => createWorkspace(tx, bound, null, { name }));
        expect(await bound.db.query(sql`select 1 from workspaces where name = ${name}`)).toHaveLength(1);
        expect(await app.db.query(sql`select 1 from workspaces where name = ${name}`)).toHaveLength(0);
        if (fail) throw conflict('stop');
      });
    await make('committed', false);
    await expect(make('rolled back', true)).rejects.toThrow('stop');
    expect(await names()).toEqual(['Default', 'committed']);
  });

  it('a part of it that fails is undone alone, and the rest goes on', async () => {
    await app.db.tx(async (outer) => {
      const bound = { ...app, db: app.db.within(outer) };
      await bound.db.tx((tx) => createWorkspace(tx, bound, null, { name: 'kept' }));
      await expect(bound.db.tx((tx) => tx.query(sql`select 1 / 0`))).rejects.toThrow('division by zero');
      await bound.db.tx((tx) => createWorkspace(tx, bound, null, { name: 'kept too' }));
    });
    expect((await names()).slice(-2)).toEqual(['kept', 'kept too']);
  });

  it('an entity is read again in the next part, with what a statement changed in between', async () => {
    await app.db.tx(async (outer) => {
      const bound = app.db.within(outer);
      await bound.tx(async (tx) => expect((await (await tx.entity('ApiKey')).em.findOneOrFail(ApiKey, 1)).name).toBe('first key'));
      await bound.query(sql`update api_keys set name = 'renamed' where id = 1`);
      await bound.tx(async (tx) => expect((await (await tx.entity('ApiKey')).em.findOneOrFail(ApiKey, 1)).name).toBe('renamed'));
    });
  });

  it('what is left for after the commit waits for the outermost one, and is dropped by a rollback', async () => {
    const done: string[] = [];
    const run = (fail: boolean) =>
      app.db.tx(async (outer) => {
        await app.db.within(outer).tx(async (tx) => tx.afterCommit(async () => void done.push(`failed: ${fail}`)));
        expect(done).not.toContain(`failed: ${fail}`);
        if (fail) throw conflict('stop');
      });
    await run(false);
    await expect(run(true)).rejects.toThrow('stop');
    expect(done).toEqual(['failed: false']);
  });

  it('a failure after the commit takes nothing back', async () => {
    await app.db.tx(async (tx) => {
      tx.afterCommit(() => Promise.reject(new Error('no mail server')));
      await createWorkspace(tx, app, null, { name: 'stays' });
    });
    expect(await names()).toContain('stays');
  });
});
