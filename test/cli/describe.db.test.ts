import type { Command } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import AccountPause from '../../commands/account/pause.ts';
import AccountResume from '../../commands/account/resume.ts';
import AccountSet from '../../commands/account/set.ts';
import AccountShow from '../../commands/account/show.ts';
import CampaignCreate from '../../commands/campaign/create.ts';
import CampaignSet from '../../commands/campaign/set.ts';
import CampaignShow from '../../commands/campaign/show.ts';
import RotationCreate from '../../commands/rotation/create.ts';
import { sql } from '../../src/db/statement.ts';
import { insertAccount, insertCampaign } from '../support/rows.ts';
import { runCommand } from '../support/run-command.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { servedInstallation } from '../support/served.ts';

const world = await servedInstallation();
const { app } = world;
const here = { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
const run = async (command: typeof Command, ...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await runCommand(command, args, here);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
};

/** Matches a raw API record, which commands printed before: names with underscores, JSON in values. */
const RECORD = /^\w+_\w+ |[[{]"|\[\d/m;

describe('"commands print the API record instead of an answer"', () => {
  it('`campaign show` shows what the campaign does', async () => {
    await insertAccount(app, { email: 'anna@globex.example' });
    const created = await run(CampaignCreate, 'Globex Q4', '--account', 'anna@globex.example', '--timezone', 'Europe/Berlin');
    expect(created).not.toMatch(RECORD);
    const set = [
      '--hours',
      '9-12,14-17',
      '--days',
      'mon-fri',
      '--holidays',
      'DE-BY',
      '--bcc',
      'crm@example.com',
      '--new-contacts-per-day',
      '40',
    ];
    const changed = await run(CampaignSet, 'Globex Q4', ...set);
    expect(changed).toMatch(/"Globex Q4" \(campaign \d+\) was changed\.\n/);
    for (const value of ['9–12 and 14–17', 'Mon–Fri', 'DE-BY', 'crm@example.com', '40']) expect(changed).toContain(value);
    const shown = await run(CampaignShow, 'Globex Q4');
    expect(shown).not.toMatch(RECORD);
    expect(shown).toContain('Sends     Mon–Fri 9–12 and 14–17, Europe/Berlin, not on public holidays of DE-BY');
    expect(shown).toContain('Settings  bcc: crm@example.com, new contacts per day: 40');
    expect(shown).toMatch(/^The campaign is a draft/m);
    expect(shown).toContain('It has no steps yet.');
  });

  it('a rotation group is shown "as one, with its sums"', async () => {
    await insertAccount(app, { email: 'ben@globex.example' });
    await run(RotationCreate, 'Globex Q4', '--accounts', 'ben@globex.example');
    const shown = await run(CampaignShow, 'Globex Q4');
    expect(shown).toContain('Accounts  anna@globex.example, ben@globex.example');
    expect(shown).toContain('Contacts  0 enrolled, 0 still in the sequence');
  });

  it('what changes an account prints "the field just changed", and `account show` says what helps', async () => {
    for (const [flag, value, said] of [
      ['--tracking-host', 'links.acme.example', /Tracking host +links\.acme\.example/],
      ['--ramp-start', '5', /Ramp start +5/],
      ['--gap-max', '30', /Gap max +30 s$/m],
      ['--batch-interval', '15', /Batch interval +15 min$/m],
      ['--list-id', 'offers.acme.example', /List id +offers\.acme\.example/],
      // Worded like `account show`, not "Window start 0".
      ['--window-start', '7', /Sends +7–18, UTC$/m],
      ['--window-start', '0', /Sends +at any hour, UTC$/m],
    ] as const) {
      const more = flag === '--ramp-start' ? ['--ramp-increment', '3'] : value === '0' ? ['--window-end', '24'] : [];
      const changed = await run(AccountSet, 'anna@globex.example', flag, value, ...more);
      expect(changed).toMatch(/^anna@globex\.example \(account \d+\) was changed\.\n/);
      expect(changed).toMatch(said);
    }
    const host = ['anna@globex.example', '--tracking-host', 'links.acme.example'] as const;
    expect(await run(AccountSet, ...host), 'a CNAME leads to a name, and this installation has none yet').not.toContain('CNAME');
    await app.db.query(sql`insert into daemons (worker, host, pid, version, roles, base_url, started_at, seen_at)
      values ('1@elsewhere', 'elsewhere', 1, '1.0.0', '{}', 'https://mail.acme.example', now(), now())`);
    expect(await run(AccountSet, ...host), 'the address is set where the daemon runs').toContain('. CNAME mail.acme.example.');
    await app.db.query(sql`delete from daemons`);
    const named = await runCommand(AccountSet, [...host], { ...here, OUTREACH_BASE_URL: 'https://go.acme.example' });
    expect(named.stdout).toMatch(/^links\.acme\.example\. CNAME go\.acme\.example\.$/m);
    await app.db.query(sql`update accounts set status = 'paused', pause_reason = 'provider_error', pause_message = '535 no.'
      where email = 'anna@globex.example'`);
    const shown = await run(AccountShow, 'anna@globex.example');
    expect(shown).not.toMatch(RECORD);
    expect(shown).toMatch(/Its provider refused it: 535 no\. When this is fixed, resume it with: outreach account resume \d+/);
    expect(shown).toMatch(/^Sends +at any hour, UTC$/m);
    expect(shown).toContain('tracking host: https://links.acme.example');
  });

  it('`account resume` says which campaigns go on because of it, once for all accounts', async () => {
    await app.db.query(sql`update accounts set status = 'active', pause_reason = null, pause_message = null`);
    const ids = [];
    for (const address of ['dora@globex.example', 'emil@globex.example']) {
      const account_id = await insertAccount(app, { email: address });
      ids.push(String(account_id));
      await insertCampaign(app, { account_id, name: `Fair of ${address}` });
    }
    await run(AccountPause, ...ids);
    expect(await run(AccountResume, ...ids)).toMatch(
      /is active\.\n.*is active\.\n2 campaigns can send again: "Fair of (dora|emil)@globex\.example", "Fair of (emil|dora)@globex\.example"\.\n$/,
    );
    const [only = ''] = ids;
    await run(AccountPause, only);
    await app.db.query(sql`update accounts set next_batch_at = now() where id = ${Number(only)}`);
    expect(await run(AccountShow, only), 'paused, it has no next batch').not.toContain('Next batch');
    expect(await run(AccountResume, only)).toBe(
      `dora@globex.example (account ${only}) is active.\n1 campaign can send again: "Fair of dora@globex.example".\n`,
    );
    expect(await run(AccountResume, only)).toMatch(/is active\.\nNo campaign was waiting\.\n$/);
  });
});
