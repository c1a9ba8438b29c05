import { describe, expect, it } from 'vitest';
import ContactShow from '../../commands/contact/show.ts';
import { operator } from '../../src/access/index.ts';
import { changeStep, listSteps, suppressAddress } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { exportPerson } from '../../src/maintenance/export-person.ts';
import { readTimeline } from '../../src/replies/index.ts';
import { sentText } from '../../src/sending/index.ts';
import { insertCampaign, insertContact, insertEnrolment, insertRow } from '../support/rows.ts';
import { runCommand } from '../support/run-command.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;
const env = { OUTREACH_DATA_DIR: installation.dataDir, DATABASE_URL: installation.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
const show = async (...args: string[]) => {
  const ran = await runCommand(ContactShow, args, env);
  expect(ran).toMatchObject({ stderr: '', status: 0 });
  return ran.stdout;
};
const ADA = 'ada@analytical.example';

describe('"one person can\'t be looked up" (contact show)', () => {
  it('shows suppression, lists, campaigns and "what a person got", after an edit of the step too, until the person is erased', async () => {
    const sender = await startSender(installation, sink, {
      steps: [
        {
          subject: 'Hello {{name}}',
          body_html:
            '<p>Dear {{name}} of {{company}}, {{#if last_name}}{{last_name}}{{else}}somewhere{{/if}}. Not interested? {{unsubscribe_url}}</p>',
        },
        { wait_days: 3 },
      ],
      contacts: [
        { name: 'Ada', email: ADA, company: 'Engines' },
        { name: 'Bob', email: 'bob@other.example', company: 'Globex' },
      ],
    });
    await sender.batch();
    const stepId = (await listSteps(app.db, caller, sender.campaignId))[0]?.id ?? 0;
    await changeStep(app, caller, sender.campaignId, stepId, { body_html: '<p>Edited since</p>' });
    await app.db.query(sql`update contacts set company = 'Renamed' where email = ${ADA}`);
    await suppressAddress(app, caller, { email: ADA, reason: 'asked on the phone' });

    const page = await show(ADA);
    expect(page).toMatch(/^Ada <ada@analytical\.example> \(contact \d+\)$/m);
    expect(page).toMatch(/^Suppressed: ada@analytical\.example, since \S+ \S+ UTC \(asked on the phone.*\)$/m);
    expect(page).toMatch(/CAMPAIGN +STATUS[\s\S]*sender-\d+@example\.com +stopped/);
    expect(page).toContain('Dear Ada of Engines, somewhere');
    expect(page, "the link is the recipient's own").toContain('Not interested? [link to unsubscribe]');
    expect(page).not.toContain('Edited since');
    const json = JSON.parse(await show(ADA, '--json'));
    expect(json).toMatchObject({ email: ADA, suppressions: [{ reason: 'asked on the phone' }], campaigns: [{ status: 'stopped' }] });

    const kept = await app.db.query<{ contents: number; emails: number }>(sql`
      select (select count(*)::int from jsonb_object_keys(s.sent_contents)) as contents,
        (select count(*)::int from outbox o where o.step_id = s.id) as emails from steps s where s.id = ${stepId}`);
    expect(kept, 'kept by content and values, not one copy an email').toEqual([{ contents: 1, emails: 2 }]);
    const [enrolment] = await app.db.query<{ id: number }>(sql`select enrolment_id as id from outbox where recipient = ${ADA}`);
    expect(await sentText(app, enrolment?.id ?? 0)).toContain('Dear Ada of Engines');

    const exported = await exportPerson(app, ADA);
    expect(JSON.stringify(exported.data.outbox)).toContain('Dear Ada of Engines');
    await erasePerson(app, operator(1), ADA);
    const { data } = await readTimeline(app.db, caller, sender.contactIds[0] ?? 0, { limit: 50, offset: 0 }).catch(() => ({ data: [] }));
    expect(JSON.stringify(data)).not.toContain('Ada');
    const rows = await app.db.query(sql`select content_values from outbox where content_values::text like '%Ada%'`);
    expect(rows).toEqual([]);
    expect(await show('bob@other.example')).toContain('Dear Bob of Globex');
  });

  it('"a finished call and its note belong in a person\'s timeline", and a call that is still to make does not', async () => {
    const campaign = await insertCampaign(app, { name: 'Calls' }, [
      { kind: 'call', body_html: 'Ask for her' },
      { kind: 'call' },
      { kind: 'call' },
    ]);
    const contact = await insertContact(app, { name: 'Cleo', email: 'cleo@calls.example' });
    const enrolment = await insertEnrolment(app, campaign, { contact_id: contact });
    const steps = await listSteps(app.db, caller, campaign);
    const closed = [
      { status: 'done', note: 'Wants a quote\n\u001b[2Jby Friday', closed_at: new Date('2026-01-02T10:00:00Z') },
      { status: 'skipped', note: null, closed_at: new Date('2026-01-03T10:00:00Z') },
      { status: 'pending', note: null, closed_at: null },
    ];
    for (const [index, call] of closed.entries())
      await insertRow(app, 'call_tasks', {
        ...{ workspace_id: 1, campaign_id: campaign, enrolment_id: enrolment.id, step_id: steps[index]?.id },
        ...{ due_at: app.clock.now(), created_at: app.clock.now(), ...call },
      });
    const page = await show('cleo@calls.example');
    expect(page).toContain('── 2026-01-02 10:00  call, step 1 of "Calls", done\nWants a quote\n');
    expect(page).toContain('── 2026-01-03 10:00  call, step 2 of "Calls", skipped\n');
    expect(page).not.toContain('step 3 of');
    expect(page).not.toContain('\u001b');
    const { data, pagination } = await readTimeline(app.db, caller, contact, { limit: 1, offset: 1 });
    expect(data).toMatchObject([{ type: 'call', state: 'done', text: closed[0]?.note, step_order: 1, account_email: null }]);
    expect(pagination.total).toBe(2);
  });
});
