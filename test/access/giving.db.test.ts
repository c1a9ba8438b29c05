import { describe, expect, it } from 'vitest';
import ShareAdd from '../../commands/share/add.ts';
import ShareGive from '../../commands/share/give.ts';
import ShareList from '../../commands/share/list.ts';
import ShareRemove from '../../commands/share/remove.ts';
import UserCreate from '../../commands/user/create.ts';
import { sql } from '../../src/db/statement.ts';
import { member } from '../support/people.ts';
import { insertAccount, insertCampaign } from '../support/rows.ts';
import { runCommand } from '../support/run-command.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const world = await servedInstallation();
const { app, api } = world;
const env = { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };

describe('"no command shares a record with one user; no change of owner"', () => {
  it('shares, lists, takes back and gives away, each by the address of the user', async () => {
    const ada = await member(app, 'manager');
    const bea = await member(app, 'manager');
    const reader = await member(app, 'view_only');
    const account = await insertAccount(app, { email: 'own@example.com' });
    const campaign = await insertCampaign(app, { name: 'Mine', account_id: account, is_shared_to_all: false });
    const sees = async ({ key }: { key: string }) => (await api.as(key).get(`/campaigns/${campaign}`)).status;
    const run = async (command: Parameters<typeof runCommand>[0], ...args: string[]) => (await runCommand(command, args, env)).stdout;

    expect(await sees(ada)).toBe(404);
    expect(await run(ShareAdd, 'campaign', 'Mine', ada.email)).toBe(`${ada.email} now sees campaign ${campaign}.\n`);
    expect(await sees(ada)).toBe(200);
    expect(await run(ShareList, 'campaign', 'Mine')).toContain(ada.email);
    await run(ShareRemove, 'campaign', 'Mine', ada.email);
    expect(await sees(ada)).toBe(404);
    expect(await run(ShareGive, 'campaign', 'Mine', bea.email)).toBe(`campaign ${campaign} now belongs to ${bea.email}.\n`);
    expect(await sees(bea)).toBe(200);
    expect((await api.as(bea.key).post(`/campaigns/${campaign}/shares`, { user_id: ada.id })).status).toBe(201);
    expect(await api.put(`/campaigns/${campaign}/owner`, { user_id: reader.id })).toMatchObject(
      refusal(400, 'invalid_request', 'must be the id of an admin or manager'),
    );
  });
});

it('of a rotation group, the error says which of its campaigns is not theirs to share, and how many are done', async () => {
  const [owner, other] = [await member(app, 'manager'), await member(app, 'manager')];
  const [mine, theirs] = [await insertAccount(app), await insertAccount(app)];
  const campaign = await insertCampaign(app, { name: 'Ours', account_id: mine, created_by: owner.id });
  const { body } = await api.post('/rotations', { campaign_id: campaign, account_ids: [theirs] });
  const [, second] = body.members.map(({ campaign_id }: { campaign_id: number }) => campaign_id);
  await app.db.query(sql`update campaigns set created_by = ${other.id} where id = ${second}`);
  const shared = await runCommand(ShareAdd, ['campaign', 'Ours', String(other.id)], {
    OUTREACH_URL: world.url,
    OUTREACH_API_KEY: owner.key,
  });
  expect(shared).toEqual({ status: 1, stdout: '', stderr: `outreach: ${second}: campaign not found; 1 of 2 is done\n` });
});

it('"for somebody who is a user already, --name is required again and gives them another name": it is not, and they keep theirs', async () => {
  expect((await runCommand(UserCreate, ['nobody@example.com', '--role', 'manager'], env)).stderr).toContain(
    '--name: required for somebody who is not a user yet',
  );
});
