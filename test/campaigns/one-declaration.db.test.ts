import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { ACCOUNT_SETTINGS } from '../../src/accounts/index.ts';
import { CAMPAIGN_OPTIONS } from '../../src/campaigns/index.ts';
import { join as joined, raw, sql } from '../../src/db/statement.ts';
import { defaultsOf, optionNames } from '../../src/fields/option.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign } from '../support/rows.ts';

/** D1.6: an option is declared once. A copy of the program gets one more entry in each table, and one more column. */

const { app, adminKey, databaseUrl } = await testInstallation();
const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'outreach-option-'));
afterAll(() => rmSync(copy, { recursive: true }));

const TEXT = 'Most emails to a contact in a week';
const ENTRY = `weekly_cap: integerOrNone(1, 9, { text: '${TEXT}', example: 4, placeholder: 'N' }),`;

/** Prints everything that the copy derives from its tables. */
const PROBE = `
import { ACCOUNT_SETTINGS } from './src/accounts/settings/index.ts';
import { changedOptions } from './src/fields/option-text.ts';
import { CAMPAIGN_OPTIONS } from './src/campaigns/options/index.ts';
import { campaignSchema } from './src/campaign-files/json-schema.ts';
import { campaignFlags, optionsFrom } from './src/cli/campaign-flags.ts';
import { flagsOf } from './src/cli/option-flags.ts';
import { ACCOUNT_COLUMNS } from './src/cli/client/account-rows.ts';
import { loadConfig } from './src/core/config.ts';
import { startDaemon } from './src/main/daemon.ts';
import { openRuntime } from './src/main/runtime.ts';
import { renderOptions } from './bin/options.js';

const { databaseUrl, secretKey, key, campaign, account } = JSON.parse(process.env.PROBE);
const config = loadConfig({ dataDir: process.cwd(), databaseUrl, secretKey, logLevel: 'silent', host: '127.0.0.1', port: 0 }, {});
const runtime = await openRuntime(config);
const daemon = await startDaemon(runtime.app, { worker: false, databaseUrl });
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
const call = async (method, path, body) =>
  (await fetch(daemon.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json();
const optionsPath = '/api/v1/campaigns/' + campaign + '/options';
const before = await call('GET', optionsPath);
const flags = { 'weekly-cap': await campaignFlags['weekly-cap'].parse('4') };
const after = await call('PATCH', optionsPath, optionsFrom(flags));
const copied = await call('POST', '/api/v1/campaigns/' + campaign + '/copy', {});
const exported = await call('GET', '/api/v1/campaigns/' + campaign + '/export');
const applied = await call('POST', '/api/v1/campaigns/apply', { campaigns: [{ name: exported.name, options: { weekly_cap: 7 } }] });
await call('POST', '/trpc/accountSetup.set', { id: account, settings: { weekly_cap: 3 } });
const found = {
  schemas: (await call('GET', '/api/v1/openapi.json')),
  before, after, applied,
  copied: await call('GET', '/api/v1/campaigns/' + copied.id + '/options'),
  exported: exported.options,
  refused: await call('PATCH', optionsPath, { weekly_cap: 10 }),
  details: await call('GET', '/api/v1/accounts/' + account + '/details'),
  flag: campaignFlags['weekly-cap'].description,
  accountFlag: flagsOf(ACCOUNT_SETTINGS)['weekly-cap'].description,
  accountColumns: ACCOUNT_COLUMNS,
  file: campaignSchema(),
  dashboard: changedOptions(CAMPAIGN_OPTIONS, after),
  docs: renderOptions(),
};
process.stdout.write(JSON.stringify(found));
await daemon.stop();
await runtime.close();
`;

function addEntry(file: string, table: string): void {
  const path = join(copy, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(`export const ${table} = {`, `$& ${ENTRY}`));
}

it('one more entry and its column are an option everywhere: API, flag, campaign file, copies, dashboard, documentation', async () => {
  for (const folder of ['src', 'migrations', 'bin']) cpSync(join(root, folder), join(copy, folder), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  addEntry('src/campaigns/options/campaign-options.ts', 'CAMPAIGN_OPTIONS');
  addEntry('src/accounts/settings/account-settings.ts', 'DETAIL_SETTINGS');
  writeFileSync(join(copy, 'probe.ts'), PROBE);
  const account = await insertAccount(app);
  const campaign = await insertCampaign(app, { name: 'Spring', account_id: account });
  for (const table of ['campaigns', 'accounts']) await app.db.query(sql`alter table ${raw(table)} add weekly_cap integer`);

  const asked = { databaseUrl, secretKey: app.config.secretKey, key: adminKey, campaign, account };
  const env = { ...process.env, PROBE: JSON.stringify(asked) };
  const found = JSON.parse(execFileSync(process.execPath, ['probe.ts'], { cwd: copy, env, encoding: 'utf8', maxBuffer: 2 ** 26 }));

  expect([found.before, found.after, found.copied, found.exported].map(({ weekly_cap }) => weekly_cap)).toEqual([null, 4, 4, 4]);
  expect(found.applied.results).toMatchObject([{ after: { options: { weekly_cap: 7 } } }]);
  expect(found.refused.error.message).toBe('weekly_cap: must be a whole number from 1 to 9');
  expect(found.details.weekly_cap).toBe(3);
  const declared = { description: TEXT, example: 4 };
  // A body has one example for all of its fields.
  const { schema, example } = found.schemas.paths['/campaigns/{id}/options'].patch.requestBody.content['application/json'];
  expect({ ...schema.properties.weekly_cap, example: example.weekly_cap }).toMatchObject(declared);
  for (const name of ['CampaignOptions', 'AccountDetails'])
    expect(found.schemas.components.schemas[name].properties.weekly_cap).toMatchObject(declared);
  expect(found.file.properties.options.properties.weekly_cap).toMatchObject(declared);
  expect([found.flag, found.accountFlag]).toEqual(Array(2).fill('most emails to a contact in a week (1 to 9, or none)'));
  expect(found.accountColumns).toContain('weekly_cap');
  expect(found.dashboard).toEqual(['weekly cap: 4']);
  expect(found.docs.split(`| \`weekly_cap\` | \`--weekly-cap\` | 1 to 9 | none | ${TEXT} |`)).toHaveLength(3);
});

it.each([
  ['campaigns', CAMPAIGN_OPTIONS],
  ['accounts', ACCOUNT_SETTINGS],
])('the columns of %s have the defaults of the declarations', async (table, options) => {
  const names = optionNames(options);
  const defaults = await app.db.query<{ name: string; value: string | null }>(sql`
    select column_name as name, column_default as value from information_schema.columns
    where table_name = ${table} and column_name = any(${names}::text[])`);
  const columns = defaults.map(({ name, value }) => raw(`${value ?? 'null'} as ${name}`));
  const [row] = await app.db.query(sql`select ${joined(columns)}`);
  expect(row).toEqual(defaultsOf(options));
});
