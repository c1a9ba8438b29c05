import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CAMPAIGN_OPTIONS, createRotation } from '../../src/campaigns/index.ts';
import { settingsAction } from '../../src/dashboard/campaign-settings.ts';
import { createApi } from '../../src/dashboard/connection.ts';
import { changedOptions } from '../../src/fields/option-text.ts';
import { member } from '../support/people.ts';
import { insertAccount, insertCampaign } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

/** C4: every rule is a setting on the dashboard. */

const served = await servedInstallation();
const { app, caller } = served;
const api = createApi({ url: served.url, key: served.adminKey });
const folder = mkdtempSync(join(tmpdir(), 'outreach-settings-'));
const before = process.env.VISUAL;
afterEach(() => {
  if (before === undefined) delete process.env.VISUAL;
  else process.env.VISUAL = before;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The editor runs this line of a shell on the file. */
function editBy(line: string): void {
  const path = join(folder, 'editor');
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
  process.env.VISUAL = path;
}
const suspend = (work: () => Promise<void>) => work();
const draft = async (name: string) =>
  insertCampaign(app, { name, account_id: await insertAccount(app, { email: `${name}@example.com` }), status: 'draft' }, [
    { subject: 'S' },
  ]);
const optionsOf = (id: number) => api.campaignOptions.get.query({ id });
const changesOf = async (id: number) => changedOptions(CAMPAIGN_OPTIONS, await optionsOf(id));

describe('the settings of a campaign on the dashboard', () => {
  it('are changed in an editor as a campaign file has them, in the whole rotation group, and steps stay', async () => {
    const id = await draft('spring');
    const group = await createRotation(app, caller, id, [await insertAccount(app)]);
    editBy(
      `cp "$1" ${folder}/seen; sed -i 's/holidays: null/holidays: DE-BY/; s/stop_company: false/stop_company: true/; s/^hours: .*/hours: [9-12, 14-17]/' "$1"`,
    );
    expect(await changesOf(id)).toEqual([]);
    await settingsAction(id, 'spring').run(api, suspend);
    expect(readFileSync(join(folder, 'seen'), 'utf8')).not.toMatch(/^steps/m);
    for (const { campaign_id } of group.members)
      expect(await changesOf(campaign_id)).toEqual(['stop company: on', 'more hours: 14-17', 'holidays: DE-BY']);
    expect((await api.steps.list.query({ id })).data).toMatchObject([{ subject: 'S' }]);
  });

  // "Any command that reads a record, changes a list in it and writes it back" can lose what another one wrote in between.
  it('leave what somebody else changes while the editor is open', async () => {
    const id = await draft('april');
    editBy(`sed -i 's/stop_company: false/stop_company: true/; s/opens: .*/opens: false/; s/^cc: .*/cc: [boss@example.com]/' "$1"`);
    await api.campaignOptions.update.mutate({ id, track_opens: true, track_clicks: true });
    await settingsAction(id, 'april').run(api, async (work) => {
      await api.campaignOptions.update.mutate({ id, holidays: 'DE-BY', track_clicks: false, bcc: ['crm@example.com'] });
      await api.campaigns.update.mutate({ id, timezone: 'Asia/Tokyo' });
      await work();
    });
    expect(await optionsOf(id)).toMatchObject({
      ...{ stop_company: true, track_opens: false, cc: ['boss@example.com'] },
      ...{ holidays: 'DE-BY', track_clicks: false, bcc: ['crm@example.com'] },
    });
    expect((await api.campaigns.get.query({ id })).timezone).toBe('Asia/Tokyo');
  });

  it.each([
    [
      'a mistake',
      `sed -i 's/holidays: null/holidays: XX/' "$1"`,
      /^line \d+: options\.holidays: there is no country "XX".*; your changes are kept in /,
    ],
    ['another name', `sed -i 's/^name: .*/name: Another/' "$1"`, /the file must name the campaign "summer-1", and it alone/],
    ['no change', 'true', /^nothing was changed$/],
    ['an editor that fails', 'exit 3', /exited with status 3$/],
  ])('say what is wrong and change nothing: %s', async (what, line, message) => {
    const name = what === 'another name' ? 'summer-1' : `autumn ${what}`;
    const id = await draft(name);
    editBy(line);
    const all = await optionsOf(id);
    await expect(settingsAction(id, name).run(api, suspend)).rejects.toThrow(message);
    expect(await optionsOf(id)).toEqual(all);
    expect((await api.campaigns.list.query({ limit: 100, offset: 0 })).data.some((each) => each.name === 'Another')).toBe(false);
  });

  it('are not changed by a key that only reads', async () => {
    const id = await draft('winter');
    editBy(`sed -i 's/spintax: false/spintax: true/' "$1"`);
    const reader = createApi({ url: served.url, key: (await member(app, 'view_only')).key });
    await expect(settingsAction(id, 'winter').run(reader, suspend)).rejects.toThrow(/view_only key can read but not change/);
    expect((await optionsOf(id)).spintax).toBe(false);
  });
});
