import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { announceRows, lastStableId } from '../../src/db/stable-id.ts';
import { type Enrolled, insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

let installation: Awaited<ReturnType<typeof servedInstallation>>;
let app: App;
let enrolment: Enrolled;

beforeAll(async () => {
  installation = await servedInstallation();
  ({ app } = installation);
  enrolment = await insertEnrolment(app, await insertCampaign(app));
  await insertReply(app, enrolment);
});

const idsAfter = async (query: string): Promise<number[]> =>
  (await installation.api.get(`/replies?after_id=${query}`)).body.data.map(({ id }: { id: number }) => id);

/** Inserts a reply in a transaction that is open until `commit` is called. */
async function insertUncommitted(): Promise<{ id: number; commit: () => Promise<unknown> }> {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const inserted = Promise.withResolvers<number>();
  const done = app.db.tx(async (tx) => {
    await announceRows(tx, 'replies');
    inserted.resolve(await insertReply({ ...app, db: { ...app.db, query: tx.query.bind(tx) } } as App, enrolment));
    await end;
  });
  done.catch(inserted.reject);
  const id = await inserted.promise;
  const commit = () => {
    resolve();
    return done;
  };
  return { id, commit };
}

describe('GET /replies?after_id=', () => {
  it('lists replies in the order of their ids, whenever they were received, from the one after', async () => {
    const old = new Date('2020-01-01T00:00:00Z');
    const [first, second] = [await insertReply(app, enrolment), await insertReply(app, enrolment, { received_at: old })];
    const third = await insertReply(app, enrolment, { kind: 'auto_reply' });
    expect(await idsAfter(String(first - 1))).toEqual([first, second]);
    expect(await idsAfter(`${first - 1}&limit=1`)).toEqual([first]);
    expect(await idsAfter(String(first))).toEqual([second]);
    expect(await idsAfter(String(second))).toEqual([]);
    expect(await idsAfter(`${first}&kind=auto_reply`)).toEqual([third]);
    expect(await idsAfter('0')).toHaveLength(3);
  });

  it('ends before a reply that commits after one with a greater id, so that none is passed over', async () => {
    const late = await insertUncommitted();
    const early = await insertReply(app, enrolment);
    expect(early).toBeGreaterThan(late.id);
    expect(await idsAfter(String(late.id - 1))).toEqual([]);
    await late.commit();
    expect(await idsAfter(String(late.id - 1))).toEqual([late.id, early]);
  });

  it('goes up to the last stable id', async () => {
    const late = await insertUncommitted();
    await insertReply(app, enrolment);
    expect(await lastStableId(app.db, 'replies')).toBeLessThan(late.id);
    await late.commit();
    expect(await lastStableId(app.db, 'replies')).toBeGreaterThan(late.id);
  });

  it('refuses what is no id', async () => {
    for (const text of ['-1', 'x', '99999999999'])
      expect(await installation.api.get(`/replies?after_id=${text}`)).toMatchObject(refusal(400, 'invalid_request'));
  });
});
