import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import CampaignCheck from '../../../commands/campaign/check.ts';
import CampaignDelete from '../../../commands/campaign/delete.ts';
import CampaignList from '../../../commands/campaign/list.ts';
import CampaignPreview from '../../../commands/campaign/preview.ts';
import CampaignShow from '../../../commands/campaign/show.ts';
import StepAttach from '../../../commands/campaign/step/attach.ts';
import ContactShow from '../../../commands/contact/show.ts';
import ShareAdd from '../../../commands/share/add.ts';
import UserCreate from '../../../commands/user/create.ts';
import UserRole from '../../../commands/user/role.ts';
import WorkspaceSet from '../../../commands/workspace/set.ts';
import WorkspaceUse from '../../../commands/workspace/use.ts';
import { sql } from '../../../src/db/statement.ts';
import { testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';
import { insertAccount, insertCampaign, insertContact } from '../../support/rows.ts';
import { runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';

const world = await testInstallation();
const { app } = world;
const config = mkdtempSync(join(tmpdir(), 'outreach-config-'));
afterAll(() => rmSync(config, { recursive: true }));
const env = {
  ...{ OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET },
  XDG_CONFIG_HOME: config,
};

const acme = await workspace(app);
await app.db.query(sql`update workspaces set name = 'Acme Ltd' where id = ${acme}`);
const account_id = await insertAccount(app, { workspace_id: acme, email: 'zoe@acme.example' });
const fair = await insertCampaign(app, { workspace_id: acme, account_id, name: 'Fair' });

it('D3.5: "not found" says in which workspace it looked, and where the thing is', async () => {
  for (const named of ['Fair', String(fair)])
    expect((await runCommand(CampaignShow, [named], env)).stderr).toMatch(
      /^outreach: campaign (?:"Fair"|\d+) not found in workspace "Default"; it is in "Acme Ltd", add: --workspace "Acme Ltd"(; see: outreach campaign list)?\n$/,
    );
  expect((await runCommand(CampaignShow, ['999999'], env)).stderr).toMatch(/^outreach: campaign 999999 not found in workspace "Default"/);
  const ada = await insertContact(app, { workspace_id: acme, email: 'ada@fair.example' });
  for (const named of ['ADA@fair.example', String(ada)])
    expect((await runCommand(ContactShow, [named], env)).stderr).toMatch(
      /^outreach: contact (?:".*"|\d+) not found in workspace "Default"; it is in "Acme Ltd", add: --workspace "Acme Ltd"/,
    );
  await member(app, 'manager', { email: 'max@fair.example' });
  const role = ['max@fair.example', 'admin', '--workspace', 'Acme Ltd'];
  expect((await runCommand(UserRole, role, env)).stderr).toContain('not found in workspace "Acme Ltd"; it is in "Default"');
});

it('D3.5: "where the thing is" speaks of what was not found, and not of what was named before it', async () => {
  const preview = await runCommand(CampaignPreview, [String(fair), '--contact', 'nobody@fair.example'], env);
  expect(preview.stderr).toBe('outreach: contact "nobody@fair.example" not found in workspace "Default"; see: outreach contact list\n');
  const shared = await runCommand(ShareAdd, ['campaign', String(fair), 'nobody@fair.example'], env);
  expect(shared.stderr).toBe('outreach: user "nobody@fair.example" not found in workspace "Default"; see: outreach user list\n');
});

it('D3.4: hints carry the workspace of the command', async () => {
  await member(app, 'manager', { email: 'ada@acme.example' });
  const args = ['ada@acme.example', '--role', 'manager', '--workspace', 'Acme Ltd'];
  expect((await runCommand(UserCreate, args, env)).stdout).toContain(
    'run: outreach key create NAME --user ada@acme.example --workspace "Acme Ltd"\n',
  );
  expect((await runCommand(CampaignCheck, ['Fair', '--workspace', String(acme)], env)).stdout).toContain(
    `set one with: outreach workspace set --postal-address ADDRESS --workspace ${acme}\n`,
  );
  const set = await runCommand(WorkspaceSet, ['--postal-address', 'Acme, Berlin', '--workspace', String(acme)], env);
  expect([set.status, set.stdout]).toEqual([0, expect.stringContaining('Acme, Berlin')]);
});

it('D3.5: "`outreach workspace use NAME`, `OUTREACH_WORKSPACE`, `--workspace`, in rising order"', async () => {
  const listed = async (args: string[] = [], more = {}) => (await runCommand(CampaignList, [...args, '--csv'], { ...env, ...more })).stdout;
  expect(await listed()).not.toContain('Fair');
  expect(await listed([], { OUTREACH_WORKSPACE: 'acme ltd' })).toContain('Fair');
  expect((await runCommand(WorkspaceUse, ['Acme Ltd'], env)).stdout).toBe('Commands now work in workspace "Acme Ltd".\n');
  expect(await listed()).toContain('Fair');
  expect(await listed([], { OUTREACH_WORKSPACE: 'Default' })).not.toContain('Fair');
  expect(await listed(['--workspace', 'Acme Ltd'], { OUTREACH_WORKSPACE: 'Default' })).toContain('Fair');
  // The suggested command needs no --workspace, because the workspace is in use.
  expect((await runCommand(CampaignDelete, ['Fair', '--yes'], env)).stdout).toMatch(/run: outreach trash restore campaigns \d+\n$/);
  expect((await runCommand(WorkspaceUse, ['Nowhere'], env)).status).toBe(1);
});

it('a file is attached in the workspace in use', async () => {
  await runCommand(WorkspaceUse, ['Acme Ltd'], env);
  await insertCampaign(app, { workspace_id: acme, account_id, name: 'Attached' });
  const file = join(config, 'terms.txt');
  writeFileSync(file, 'Terms');
  const attached = await runCommand(StepAttach, ['Attached', '1', file], env);
  expect(attached).toMatchObject({ status: 0, stdout: expect.stringContaining('terms.txt (5 bytes) was attached to step 1') });
});

it('no command works in another workspace because the choice cannot be read', async () => {
  const path = join(config, 'outreach', 'workspaces.json');
  writeFileSync(path, '{');
  expect((await runCommand(CampaignList, [], env)).stderr).toBe(
    `outreach: ${path} is damaged; delete it, and choose again with: outreach workspace use\n`,
  );
  expect((await runCommand(CampaignList, ['--workspace', 'Acme Ltd'], env)).status).toBe(0);
  rmSync(path);
  expect((await runCommand(CampaignList, [], env)).status).toBe(0);
});
