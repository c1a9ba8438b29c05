import { beforeAll, describe, expect, it } from 'vitest';
import { openDueCalls } from '../../src/campaigns/index.ts';
import { type Cli, cliOf, refuse, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertList, rowOf } from '../support/rows.ts';

let installation: TestInstallation;
let cli: Cli;

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
});

const run = (...args: (string | number)[]) => succeed(cli, ...args.map(String));
const refusal = (status: number, ...args: (string | number)[]) => refuse(cli, status, ...args.map(String));

describe('outreach call', () => {
  it('list shows what is due; done and skip close it, once', async () => {
    const { app } = installation;
    const campaign = await insertCampaign(app, {}, [{}, { kind: 'call', body_html: 'Ring {{name}}' }]);
    const [ada, bob] = [await insertContact(app, { name: 'Ada' }), await insertContact(app, { name: 'Bob' })];
    for (const contact_id of [ada, bob])
      await insertEnrolment(app, campaign, { contact_id, current_step: 2, last_sent_step: 1, due_at: app.clock.now() });
    await openDueCalls(app);
    const { data } = await run('call', 'list');
    expect(data).toMatchObject([
      { contact_id: ada, notes: 'Ring Ada', status: 'pending' },
      { contact_id: bob, notes: 'Ring Bob' },
    ]);
    const [first, second] = data.map((call: { id: number }) => call.id);
    expect(await run('call', 'done', first, '--note', 'will think')).toEqual({ id: first, outcome: 'done' });
    expect(await run('call', 'skip', second)).toEqual({ id: second, outcome: 'skipped' });
    expect(await rowOf(app, 'call_tasks', first)).toMatchObject({ status: 'done', note: 'will think' });
    expect((await run('call', 'list')).data).toEqual([]);
    expect((await run('call', 'list', '--closed')).data).toHaveLength(2);
    expect(await refusal(1, 'call', 'done', first)).toContain(`call ${first} is already done`);
    expect(await refusal(1, 'call', 'skip', 999_999)).toContain('not found');
    expect(await rowOf(app, 'campaigns', campaign)).toMatchObject({ status: 'completed' });
  });
});

describe('outreach campaign preview', () => {
  it('shows each step for a contact and warns about what is unknown', async () => {
    const { app } = installation;
    const campaign = await insertCampaign(app, {}, [
      { subject: 'Hi {{name}}', body_html: '{{nope}}' },
      { body_html: 'B', wait_days: 2 },
    ]);
    const contact = await insertContact(app, { name: 'Ada' });
    const preview = await run('campaign', 'preview', campaign, '--contact', contact);
    expect(preview.steps).toMatchObject([
      { subject: 'Hi Ada', body_html: '{{nope}}', unknown: ['nope'] },
      { subject: 'Re: Hi Ada', body_html: 'B', unknown: [] },
    ]);
    const { stdout } = await cli(['campaign', 'preview', String(campaign), '--contact', String(contact)]);
    expect(stdout).toContain('--- step 2 (email, 2 days later), variant A\nSubject: Re: Hi Ada\n');
    expect(stdout).toContain('Warning: step 1: unknown placeholder {{nope}}; its emails will be held\n');
    expect(await refusal(1, 'campaign', 'preview', campaign, '--contact', 999_999)).toContain('contact 999999 not found');
    expect(await refusal(2, 'campaign', 'preview', campaign)).toContain('contact');
  });
});

describe('outreach campaign set', () => {
  it('changes the options that the API does not show, and leaves the others', async () => {
    const { app } = installation;
    const campaign = await insertCampaign(app);
    const changed = await run('campaign', 'set', campaign, '--use-contact-timezone', 'true', '--auto-reopen', 'false');
    expect(changed).toMatchObject({ id: campaign, use_contact_timezone: true, auto_reopen: false, track_opens: true, track_clicks: true });
    expect(await run('campaign', 'set', campaign, '--track-opens', 'false')).toMatchObject({
      use_contact_timezone: true,
      track_opens: false,
    });
    expect(await run('campaign', 'set', campaign, '--stop-company', 'true')).toMatchObject({ stop_company: true, track_opens: false });
    expect((await run('history', '--resource', `campaign/${campaign}`)).data[0]).toMatchObject({ action: 'campaign.update' });
    expect(await refusal(2, 'campaign', 'set', campaign)).toContain('nothing to change');
    expect(await refusal(2, 'campaign', 'set', campaign, '--use-contact-timezone', 'yes')).toContain('use-contact-timezone');
    expect(await refusal(1, 'campaign', 'set', 999_999, '--auto-reopen', 'true')).toContain('not found');
  });

  it('--subsequence takes a cause, a wait and the name of a campaign, and replaces all', async () => {
    const { app } = installation;
    const [campaign, demo] = [await insertCampaign(app), await insertCampaign(app, { name: 'Demo: second call' })];
    const set = (...rules: string[]) => run('campaign', 'set', campaign, ...rules.flatMap((rule) => ['--subsequence', rule]));
    expect((await set('label very interested: demo: second call', `finished after 3 days: ${demo}`)).subsequences).toEqual([
      { on: 'label', label: 'very interested', wait_days: 0, campaign_id: demo },
      { on: 'finished', label: null, wait_days: 3, campaign_id: demo },
    ]);
    expect((await set(`replied after 1 day: ${demo}`)).subsequences).toMatchObject([{ on: 'replied', wait_days: 1 }]);
    expect(await refusal(2, 'campaign', 'set', campaign, '--subsequence', 'bounced: Demo')).toContain('"bounced: Demo" is not a rule');
    expect(await refusal(1, 'campaign', 'set', campaign, '--subsequence', 'replied: Dem')).toContain('not found');
    expect((await set('none')).subsequences).toEqual([]);
  });

  it('--list takes a list by its name, for whoever joins it, and --existing enrols who is on it', async () => {
    const { app } = installation;
    const campaign = await insertCampaign(app);
    const list = await insertList(app, [await insertContact(app)], { name: 'Open day' });
    expect(await run('campaign', 'set', campaign, '--list', 'open day')).toMatchObject({ list_id: list, contact_count: 0 });
    expect(await run('campaign', 'set', campaign, '--list', list, '--existing')).toMatchObject({ list_id: list, contact_count: 1 });
    expect(await run('campaign', 'set', campaign, '--list', 'none')).toMatchObject({ list_id: null, contact_count: 1 });
    expect(await refusal(1, 'campaign', 'set', campaign, '--list', 'Open days')).toContain('did you mean "Open day"');
    expect(await refusal(2, 'campaign', 'set', campaign, '--existing')).toContain('--list');
    // "`campaign create --json` prints the record from before its options were set."
    const created = await run('campaign', 'create', 'Summer', '--account', await insertAccount(app), '--list', list, '--existing');
    expect(created).toMatchObject({ list_id: list, contact_count: 1 });
    const { rotation: _, ...shown } = await run('campaign', 'show', created.id);
    expect(created).toMatchObject(shown);
  });
});

describe('outreach rotation', () => {
  it('create makes a campaign for each further account; list and show have it', async () => {
    const { app } = installation;
    const campaign = await insertCampaign(app, { name: 'Spring' });
    const accounts = [await insertAccount(app), await insertAccount(app)];
    const made = await run('rotation', 'create', campaign, '--accounts', accounts.join(','));
    expect(made).toMatchObject({ name: 'Spring', campaigns: 3, members: [{ campaign_id: campaign }, {}, {}] });
    const { members: _, ...row } = made;
    expect((await run('rotation', 'list')).data).toEqual([row]);
    expect(await run('rotation', 'show', made.id)).toEqual(made);
    expect(await refusal(1, 'rotation', 'create', campaign, '--accounts', accounts.join(','))).toContain('already');
    expect(await refusal(1, 'rotation', 'create', campaign, '--accounts', '3,x')).toContain('account "x" not found');
    expect(await refusal(2, 'rotation', 'create', await insertCampaign(app), '--accounts', 999_999)).toContain('999999');
    expect(await refusal(1, 'rotation', 'show', 999_999)).toContain('not found');
  });
});
