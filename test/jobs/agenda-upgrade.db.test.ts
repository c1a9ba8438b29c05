import { Agenda } from 'agenda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDuplicate, type JobBackend, openBackend } from '../../src/jobs/backend.ts';
import { testInstallation } from '../support/database.ts';
import { waitUntil } from '../support/wait-until.ts';

let backend: JobBackend;
let agenda: Agenda;
let finish: () => void;

beforeAll(async () => {
  const { app, databaseUrl } = await testInstallation();
  backend = await openBackend(app, { databaseUrl });
  const { repository } = backend;
  const nothing = async () => {};
  const connected = { name: 'test', repository, ownsConnection: false, connect: nothing, disconnect: nothing };
  agenda = new Agenda({ backend: connected, name: 'daemon-7 1', processEvery: 50, removeOnComplete: true });
  agenda.define('work', () => new Promise<void>((resolve) => (finish = resolve)), { lockLifetime: 60_000 });
  agenda.define('tick', async () => {});
});
afterAll(async () => {
  await agenda?.stop(false);
  await backend?.close();
});

const jobs = async (name: string) => (await backend.repository.queryJobs({ name })).jobs;

describe('an upgrade of Agenda breaks the job store unless', () => {
  it('a job of an account is a row with name and data ->> accountId, so that our unique index refuses a second one', async () => {
    await agenda.create('work', { accountId: 1 }).save();
    const second = agenda.create('work', { accountId: 1 }).save();
    expect(
      await second.then(
        () => false,
        (error: unknown) => isDuplicate(error),
      ),
    ).toBe(true);
    await agenda.create('work', { accountId: 2 }).save();
    expect((await jobs('work')).map(({ data }) => data)).toEqual(expect.arrayContaining([{ accountId: 1 }, { accountId: 2 }]));
    await backend.repository.removeJobs({ name: 'work' });
  });

  it('what create() makes has the type normal, what every() makes the type single, with its period in repeatInterval', async () => {
    await agenda.create('work', { accountId: 3 }).save();
    await agenda.every(3_600_000, 'tick');
    expect(await jobs('work')).toMatchObject([{ type: 'normal', nextRunAt: expect.any(Date) }]);
    const [tick] = await jobs('tick');
    expect(tick).toMatchObject({ type: 'single', nextRunAt: expect.any(Date) });
    expect(Number(tick?.repeatInterval)).toBe(3_600_000);
  });

  it('a job that runs has lockedAt and the name of its store in lastModifiedBy; when it is done it is removed', async () => {
    await agenda.start();
    await waitUntil('the job runs', () => finish !== undefined);
    expect(await jobs('work')).toMatchObject([{ lockedAt: expect.any(Date), lastModifiedBy: 'daemon-7 1' }]);
    finish();
    await waitUntil('the job is removed', async () => (await jobs('work')).length === 0);
  });
});
