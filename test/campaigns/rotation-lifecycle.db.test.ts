import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, operator } from '../../src/access/index.ts';
import { restoreFromTrash } from '../../src/access/trash.ts';
import type { App } from '../../src/app.ts';
import {
  activateCampaign,
  archiveCampaign,
  changeCampaign,
  createRotation,
  deleteCampaign,
  enrol,
  pauseAccount,
  pauseCampaign,
  unarchiveCampaign,
} from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { trashKinds } from '../../src/maintenance/trash-kinds.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign, insertContact, rowOf } from '../support/rows.ts';

/**
 * C1.11: lifecycle verbs, and changes of a member other than `account_id`, apply to the whole rotation group, in one transaction, audited
 * for each member. A pause of an account pauses that member alone.
 */

let app: App;
let caller: Caller;
/** The campaigns of a group and their accounts; the verbs are applied to the second. */
let ids: [number, number, number];
let accounts: [number, number, number];

beforeAll(async () => {
  ({ app, caller } = await testInstallation());
});
beforeEach(async () => {
  const campaign = await insertCampaign(app, { name: 'Spring' });
  await enrol(app, caller, campaign, { contact_ids: [await insertContact(app)] });
  const { members } = await createRotation(app, caller, campaign, [await insertAccount(app), await insertAccount(app)]);
  ids = members.map((row) => row.campaign_id) as typeof ids;
  accounts = members.map((row) => row.account_id) as typeof accounts;
});

const of = async (column: string) => {
  const rows: unknown[] = [];
  for (const id of ids) rows.push((await rowOf<Record<string, unknown>>(app, 'campaigns', id))[column]);
  return rows;
};
const three = (value: unknown) => [value, value, value];
/** Campaigns of the group with an audit entry of this action. */
const audited = async (action: string) =>
  (
    await app.db.query<{ id: number }>(
      sql`select distinct resource_id as id from audit_log where action = ${action} and resource_id = any(${ids}::int[]) order by 1`,
    )
  ).map((row) => row.id);

describe('C1.11: a lifecycle verb holds for the whole rotation group', () => {
  it('pause, and activate, with a start too', async () => {
    await pauseCampaign(app, caller, ids[1]);
    expect([await of('status'), await audited('campaign.pause')]).toEqual([three('paused'), ids]);
    const start = new Date('2026-07-08T12:00:00Z');
    await activateCampaign(app, caller, ids[1], start);
    expect([await of('status'), await of('starts_at'), await audited('campaign.activate')]).toEqual([three('active'), three(start), ids]);
  });

  it('archive and unarchive', async () => {
    await archiveCampaign(app, caller, ids[1]);
    expect([await of('status'), await of('is_archived'), await audited('campaign.archive')]).toEqual([three('paused'), three(true), ids]);
    await unarchiveCampaign(app, caller, ids[1]);
    expect([await of('is_archived'), await audited('campaign.unarchive')]).toEqual([three(false), ids]);
  });

  it('delete, and a restore of what was deleted together', async () => {
    await deleteCampaign(app, caller, ids[1]);
    expect([(await of('deleted_at')).filter((at) => at === null), await audited('campaign.delete')]).toEqual([[], ids]);
    await restoreFromTrash(app, operator(1), trashKinds, 'campaigns', ids[1]);
    expect([await of('deleted_at'), await of('status'), await audited('campaign.restore')]).toEqual([three(null), three('paused'), ids]);
  });

  it('activation needs one contact in the group, and leaves alone whose account is archived or deleted', async () => {
    await pauseCampaign(app, caller, ids[0]);
    await app.db.query(sql`update accounts set is_archived = true where id = ${accounts[2]}`);
    await activateCampaign(app, caller, ids[1], null);
    expect(await of('status')).toEqual(['active', 'active', 'paused']);
    await expect(activateCampaign(app, caller, ids[2], null)).rejects.toThrow('account_id: the sending account is archived or deleted');
  });

  it('a pause of a mailbox pauses that member alone', async () => {
    await pauseAccount(app, caller, accounts[1]);
    expect(await of('status')).toEqual(['active', 'paused', 'active']);
    expect(await audited('campaign.pause')).toEqual([ids[1]]);
  });
});

describe('C1.11: a change of a member', () => {
  it('holds for the whole group, in settings and options, audited for each', async () => {
    const patch = { timezone: 'Asia/Tokyo', sending_days: [6, 7], reply_to: 'boss@elsewhere.example', stop_company: true };
    await changeCampaign(app, caller, ids[1], patch);
    for (const [column, value] of Object.entries(patch)) expect(await of(column), column).toEqual(three(value));
    expect(await audited('campaign.update')).toEqual(ids);
  });

  it('holds for that member alone where it is the account', async () => {
    const account = await insertAccount(app);
    await changeCampaign(app, caller, ids[1], { account_id: account, timezone: 'Asia/Tokyo' });
    expect(await of('account_id')).toEqual([accounts[0], account, accounts[2]]);
    expect(await of('timezone')).toEqual(three('Asia/Tokyo'));
  });

  it('names the copies by their accounts, as when the group was made', async () => {
    const emails = await Promise.all(accounts.map(async (id) => (await rowOf<{ email: string }>(app, 'accounts', id)).email));
    await changeCampaign(app, caller, ids[0], { name: 'Summer' });
    expect(await of('name')).toEqual(['Summer', `Summer (${emails[1]})`, `Summer (${emails[2]})`]);
    await changeCampaign(app, caller, ids[1], { name: `Autumn (${emails[1]})` });
    expect(await of('name')).toEqual(['Autumn', `Autumn (${emails[1]})`, `Autumn (${emails[2]})`]);
  });

  it('changes nothing anywhere where it is refused', async () => {
    const refused = changeCampaign(app, caller, ids[1], { timezone: 'Asia/Tokyo', sending_hour_start: 9, sending_hour_end: 9 });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    expect([await of('timezone'), await audited('campaign.update')]).toEqual([three('UTC'), []]);
  });
});
