import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, daemon } from '../../src/access/index.ts';
import { setAccountStatus } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import {
  archiveAccount,
  deleteAccount,
  pauseAccount,
  pauseAccountInTx,
  resumeAccount,
  unarchiveAccount,
} from '../../src/campaigns/lifecycle/account-lifecycle.ts';
import { pauseCampaign } from '../../src/campaigns/lifecycle/campaign-lifecycle.ts';
import { changeCampaign } from '../../src/campaigns/lifecycle/change-campaign.ts';
import { DAY, type ManualClock } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign, insertEnrolment, rowOf } from '../support/rows.ts';

let app: App;
let clock: ManualClock;
let caller: Caller;
let account: number;

beforeAll(async () => {
  ({ app, clock, caller } = await testInstallation());
});
beforeEach(async () => {
  clock.set(TEST_START);
  account = await insertAccount(app);
});

const statusOf = async (id: number) => (await rowOf<{ status: string }>(app, 'campaigns', id)).status;
const statuses = (ids: readonly number[]) => Promise.all(ids.map(statusOf));
const nextBatch = async (id: number) => (await rowOf<{ next_batch_at: Date | null }>(app, 'accounts', id)).next_batch_at;
const campaign = (status: string, values = {}) => insertCampaign(app, { account_id: account, status, ...values });
const stop = (reason: 'provider_limit' | 'provider_error', message?: string) =>
  app.db.tx((tx) => pauseAccountInTx(tx, app, daemon(1), account, { reason, message }));
const auditsOf = (type: string, id: number) =>
  app.db.query<{ actor: string; action: string }>(
    sql`select actor, action from audit_log where resource_type = ${type} and resource_id = ${id} order by id`,
  );

const STATUSES = ['draft', 'active', 'paused', 'completed'];

describe.each([
  ['pause', () => pauseAccount(app, caller, account), () => resumeAccount(app, caller, account)],
  ['provider limit', () => stop('provider_limit'), () => resumeAccount(app, daemon(1), account)],
  ['provider error', () => stop('provider_error', '535 no'), () => resumeAccount(app, caller, account)],
  ['archive', () => archiveAccount(app, caller, account), () => unarchiveAccount(app, caller, account)],
])('account %s', (_name, down, up) => {
  it('pauses active campaigns alone, and what undoes it restarts exactly those', async () => {
    const ids = await Promise.all(STATUSES.map((status) => campaign(status)));
    const elsewhere = await insertCampaign(app);
    await down();
    expect(await statuses([...ids, elsewhere])).toEqual(['draft', 'paused', 'paused', 'completed', 'active']);
    await up();
    expect(await statuses([...ids, elsewhere])).toEqual([...STATUSES, 'active']);
    expect(await nextBatch(account)).toEqual(clock.now());
  });

  it('what a person paused or archived meanwhile stays so, and what moved to another account too', async () => {
    const [paused, moved] = [await campaign('active'), await campaign('active')];
    await down();
    await pauseCampaign(app, caller, paused);
    const other = await insertAccount(app, { status: 'paused', pause_reason: 'manual' });
    await changeCampaign(app, caller, moved, { account_id: other });
    await up();
    await resumeAccount(app, caller, other);
    expect(await statuses([paused, moved])).toEqual(['paused', 'paused']);
  });

  it('each stopped and restarted campaign has its audit row', async () => {
    const id = await campaign('active');
    await down();
    await up();
    expect((await auditsOf('campaign', id)).map((row) => row.action)).toEqual(['campaign.pause', 'campaign.activate']);
  });
});

describe('pausing', () => {
  it('a person’s pause takes over an automatic one, and keeps its own reason against a later one', async () => {
    await stop('provider_limit', '550 5.4.5');
    expect(await pauseAccount(app, caller, account)).toMatchObject({ status: 'paused', pause_reason: 'manual' });
    clock.advance(DAY);
    expect(await pauseAccount(app, caller, account)).toMatchObject({ status: 'paused', pause_reason: 'manual' });
    expect(await auditsOf('account', account)).toHaveLength(2);
  });

  it('a disconnected account stays disconnected, and can’t be resumed', async () => {
    await app.db.tx((tx) =>
      setAccountStatus(tx, app, caller, account, { status: 'disconnected', pause_reason: 'provider_error', pause_message: 'revoked' }),
    );
    expect(await pauseAccount(app, caller, account)).toMatchObject({ status: 'disconnected' });
    await expect(resumeAccount(app, caller, account)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('pause and resume at the same time as campaigns are activated end without an error', async () => {
    const ids = await Promise.all([...Array(4)].map(() => campaign('paused')));
    for (const id of ids) await insertEnrolment(app, id, { due_at: clock.now() });
    const { activateCampaign } = await import('../../src/campaigns/lifecycle/campaign-lifecycle.ts');
    const turns = [...Array(4)].flatMap((_, turn) => [
      pauseAccount(app, caller, account),
      activateCampaign(app, caller, ids[turn] ?? 0, null),
      resumeAccount(app, caller, account),
    ]);
    const results = await Promise.allSettled(turns);
    expect(results.filter((result) => result.status === 'rejected')).toEqual([]);
    await resumeAccount(app, caller, account);
    expect(await statuses(ids)).toEqual(ids.map(() => 'active'));
  });
});

describe('archive and delete', () => {
  it('an archived account is not resumed; a paused one that is unarchived keeps its campaigns until it is', async () => {
    const id = await campaign('active');
    await pauseAccount(app, caller, account);
    await archiveAccount(app, caller, account);
    await expect(resumeAccount(app, caller, account)).rejects.toMatchObject({ code: 'conflict' });
    expect(await unarchiveAccount(app, caller, account)).toMatchObject({ status: 'paused', is_archived: false });
    expect(await statusOf(id)).toBe('paused');
    await resumeAccount(app, caller, account);
    expect(await statusOf(id)).toBe('active');
  });

  it.each([
    ['archive', () => archiveAccount(app, caller, account)],
    ['delete', () => deleteAccount(app, caller, account)],
  ])('%s wakes the accounts that go on with its contacts', async (_name, down) => {
    const successor = await insertAccount(app);
    const moved = await insertCampaign(app, { account_id: successor });
    await insertEnrolment(app, moved, { account_id: account, due_at: clock.now(), last_sent_step: 1 });
    expect(await nextBatch(successor)).toBeNull();
    await down();
    expect(await nextBatch(successor)).toEqual(clock.now());
    expect(await statusOf(moved)).toBe('active');
  });

  it('a deleted account is found by nothing', async () => {
    const id = await campaign('active');
    await deleteAccount(app, caller, account);
    expect(await statusOf(id)).toBe('paused');
    for (const action of [pauseAccount, resumeAccount, archiveAccount, unarchiveAccount, deleteAccount])
      await expect(action(app, caller, account)).rejects.toMatchObject({ code: 'not_found' });
  });
});
