import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { addToRotation, createRotation, enrol, getRotation, removeFromRotation, setRotationAccounts } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import { insertAccount, insertCampaign, insertContact, rowOf } from '../support/rows.ts';

/** A rotation group gains and loses accounts: no contact is emailed twice because of it, and none is forgotten. */

let app: App;
let caller: Caller;
let group: number;
let own: number;
let second: number;
let third: number;

beforeAll(async () => {
  ({ app, caller } = await testInstallation());
});
beforeEach(async () => {
  [own, second, third] = [await insertAccount(app), await insertAccount(app), await insertAccount(app)];
  const campaign = await insertCampaign(app, { name: 'Spring', status: 'active', account_id: own }, [{ subject: 'S', body_html: 'one' }]);
  const ids = await Promise.all([...Array(9)].map(() => insertContact(app)));
  await enrol(app, caller, campaign, { contact_ids: ids });
  group = (await createRotation(app, caller, campaign, [second])).id;
});
// After all tests, every counter equals the number of rows that it counts.
afterAll(async () => expect(await numberFaults(app)).toEqual([]));

const members = async () => (await getRotation(app.db, caller, group)).members;
const contacts = async () => new Map((await members()).map((member) => [member.account_id, member.contacts]));
const campaignOf = async (account: number) => (await members()).find((member) => member.account_id === account)?.campaign_id ?? 0;
/** Marks some contacts of an account as emailed, and returns them. */
const email = async (account: number, count: number) =>
  app.db.query<{ contact_id: number }>(sql`
    update enrolments set last_sent_step = 1, current_step = 1, account_id = ${account} where id in (
      select id from enrolments where campaign_id = ${await campaignOf(account)} order by id limit ${count}) returning contact_id`);

describe('adding an account to a rotation group', () => {
  it('makes a campaign in the same state, and distributes the contacts who were sent nothing over all', async () => {
    await email(own, 3);
    const { members } = await addToRotation(app, caller, group, [third, second]);
    expect(members.map((row) => [row.account_id, row.status, row.contacts])).toEqual([
      [own, 'active', 3],
      [second, 'active', 3],
      [third, 'active', 3],
    ]);
    expect(members[2]?.name).toBe(`Spring (${members[2]?.account_email})`);
    expect(await rowOf(app, 'campaigns', members[2]?.campaign_id ?? 0)).toMatchObject({ rotation_group_id: group });
    const twice = await app.db.query(sql`select contact_id from enrolments where contact_id in (
      select contact_id from enrolments where campaign_id = any(${members.map((row) => row.campaign_id)}::int[])) group by 1 having count(*) > 1`);
    expect(twice).toEqual([]);
  });

  it('an account that is in the group already changes nothing', async () => {
    const before = await members();
    await addToRotation(app, caller, group, [own, second]);
    expect(await members()).toEqual(before);
  });

  it('takes back the campaign of an account that was removed', async () => {
    await removeFromRotation(app, caller, group, [second]);
    expect(await contacts()).toEqual(
      new Map([
        [own, 9],
        [second, 0],
      ]),
    );
    await addToRotation(app, caller, group, [second]);
    expect((await members()).map((row) => row.is_leaving)).toEqual([false, false]);
    expect([...(await contacts()).values()].toSorted()).toEqual([4, 5]);
  });

  it('refuses an account that is not live, and changes nothing', async () => {
    const archived = await insertAccount(app, { is_archived: true });
    await expect(addToRotation(app, caller, group, [third, archived])).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await members()).toHaveLength(2);
  });
});

describe('removing an account from a rotation group', () => {
  it('contacts it has emailed stay with it; the others, and whoever is enrolled later, go to the rest', async () => {
    const emailed = await email(own, 2);
    const { members } = await removeFromRotation(app, caller, group, [own]);
    expect(members.map((row) => [row.account_id, row.is_leaving, row.contacts])).toEqual([
      [own, true, 2],
      [second, false, 7],
    ]);
    const stayed = await app.db.query(sql`select contact_id from enrolments where campaign_id = ${await campaignOf(own)} order by id`);
    expect(stayed).toEqual(emailed);
    await enrol(app, caller, await campaignOf(own), { contact_ids: [await insertContact(app), await insertContact(app)] });
    expect(await contacts()).toEqual(
      new Map([
        [own, 2],
        [second, 9],
      ]),
    );
  });

  it('an email that is in flight keeps its contact', async () => {
    const campaign = await campaignOf(own);
    await app.db.query(
      sql`update enrolments set due_at = null where id = (select min(id) from enrolments where campaign_id = ${campaign})`,
    );
    await removeFromRotation(app, caller, group, [own]);
    expect((await contacts()).get(own)).toBe(1);
  });

  it('refuses the last account and one that is not in the group', async () => {
    await expect(removeFromRotation(app, caller, group, [third])).rejects.toThrow(`account ${third} in this rotation group`);
    await expect(removeFromRotation(app, caller, group, [own, second])).rejects.toThrow('at least one account must remain');
  });
});

it('setting the accounts adds and removes in one transaction', async () => {
  await setRotationAccounts(app, caller, group, [second, third]);
  const counts = await contacts();
  expect([counts.get(own), [counts.get(second), counts.get(third)].toSorted()]).toEqual([0, [4, 5]]);
  expect((await members()).filter((row) => !row.is_leaving).map((row) => row.account_id)).toEqual([second, third]);
  const [entry] = await app.db.query<{ actions: string[] }>(
    sql`select array_agg(action order by id) as actions from audit_log where resource_type = 'rotation' and resource_id = ${group}`,
  );
  expect(entry?.actions).toEqual(['rotation.create', 'rotation.add', 'rotation.remove']);
});
