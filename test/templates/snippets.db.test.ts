import { beforeAll, describe, expect, it } from 'vitest';
import { applyCampaigns } from '../../src/campaign-files/apply.ts';
import { sql } from '../../src/db/statement.ts';
import { paragraphsOf } from '../../src/html/paragraphs.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { member } from '../support/people.ts';
import { repliedContact } from '../support/replied-contact.ts';
import { insertAccount, insertCampaign, insertContact } from '../support/rows.ts';
import { startMailServers } from '../support/sender.ts';
import { servedInstallation } from '../support/served.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

/** docs/templates.md, "Templates in texts": `{{> name}}` puts a template in its place when the text is saved. */

let installation: Awaited<ReturnType<typeof servedInstallation>>;
let imap: ImapServer;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await servedInstallation();
  ({ imap, sink } = await startMailServers());
  await template('Prices', '<p>From 9 euros for {{company|you}}.</p>');
  await template("Tom & Ann's <offer>", '<p>Both.</p>');
  await template('Two paragraphs', '<p>One.</p><p>Two.</p>');
});

async function template(name: string, body_html: string, fields: object = {}) {
  const { status, body } = await installation.api.post('/templates', { name, type: 'template', body_html, ...fields });
  expect(status).toBe(201);
  return body.id as number;
}

/** The body that a step has after it was saved with this one. */
async function saved(body_html: string, fields: object = {}): Promise<string> {
  const id = await insertCampaign(installation.app);
  const { status, body } = await installation.api.post(`/campaigns/${id}/steps`, { subject: 'Hello', body_html, ...fields });
  return status === 201 ? body.body_html : body.error.message;
}

describe('a template in a step', () => {
  it.each([
    ['<p>Hello.</p>{{> Prices}}', '<p>Hello.</p><p>From 9 euros for {{company|you}}.</p>'],
    ['<p>{{>Prices}}</p>', '<p>From 9 euros for {{company|you}}.</p>'],
    ['<p>Hello. {{> Prices }} Bye.</p>', '<p>Hello. From 9 euros for {{company|you}}. Bye.</p>'],
    [paragraphsOf('Hello.\n\n{{> Prices}}'), '<p>Hello.</p>\n<p>From 9 euros for {{company|you}}.</p>'],
    [paragraphsOf("{{> Tom & Ann's <offer>}}"), '<p>Both.</p>'],
    ['{{> Prices}}{{> Two paragraphs}}', '<p>From 9 euros for {{company|you}}.</p><p>One.</p><p>Two.</p>'],
    ['<p>{{name}} {> Prices} {{#if company}}{{/if}}</p>', '<p>{{name}} {> Prices} {{#if company}}{{/if}}</p>'],
  ])('%s', async (given, expected) => {
    expect(await saved(given)).toBe(expected);
  });

  it('stands in both variants, and in one that is changed', async () => {
    const { api, app } = installation;
    const id = await insertCampaign(app);
    const step = await api.post(`/campaigns/${id}/steps`, {
      subject: 'Hi',
      body_html: '{{> Prices}}',
      body_html_b: '<p>B: {{> Prices}}</p>',
    });
    expect(step.body).toMatchObject({ body_html_b: '<p>B: From 9 euros for {{company|you}}.</p>' });
    const changed = await api.patch(`/campaigns/${id}/steps/${step.body.id}`, { body_html: '<p>New: {{> Prices}}</p>' });
    expect(changed.body.body_html).toBe('<p>New: From 9 euros for {{company|you}}.</p>');
  });

  it('is the template as it was then: a later change of the template changes no step', async () => {
    const { api, app } = installation;
    const template_id = await template('Dates', '<p>May</p>');
    const id = await insertCampaign(app);
    const { body: step } = await api.post(`/campaigns/${id}/steps`, { subject: 'Hi', body_html: '{{> Dates}}' });
    await api.patch(`/templates/${template_id}`, { body_html: '<p>June</p>' });
    expect((await api.get(`/campaigns/${id}/steps`)).body).toMatchObject({ data: [{}, { id: step.id, body_html: '<p>May</p>' }] });
  });

  it('stays a placeholder, which holds the email, where no such template is seen: signatures, archived and hidden ones are none', async () => {
    const { api, app } = installation;
    await template('Sig', '<p>Sig</p>', { type: 'signature' });
    await api.post(`/templates/${await template('Old', '<p>Old</p>')}/archive`);
    const other = api.as((await member(app, 'manager')).key);
    const manager = api.as((await member(app, 'manager')).key);
    await other.post('/templates', { name: 'Theirs', type: 'template', body_html: '<p>Theirs</p>', is_shared_to_all: false });
    const account_id = await insertAccount(app, { is_shared_to_all: true });
    const contactId = await insertContact(app);
    const { body: campaign } = await manager.post('/campaigns', { name: 'Own', account_id });
    const body_html = '<p>{{> Sig}} {{> Old}} {{> Theirs}} {{> Nobody}}</p>';
    const { body: step } = await manager.post(`/campaigns/${campaign.id}/steps`, { subject: 'Hi', body_html });
    expect(step.body_html).toBe(body_html);
    const { body: preview } = await api.get(`/campaigns/${campaign.id}/preview?contact_id=${contactId}`);
    expect(JSON.stringify(preview)).toContain('no template had the name in {{> Sig}} when the step was saved; save it again');
  });

  it('is refused where its name is that of several templates, or the text becomes too long', async () => {
    await template('Twice', '<p>1</p>');
    await template('Twice', '<p>2</p>');
    expect(await saved('{{> Twice}}')).toBe('body_html: several templates are named "Twice"; rename all but one');
    await template('Long', `<p>${'x'.repeat(50_000)}</p>`);
    // As many as a body of its own size may name: told before they are written.
    expect(await saved('{{> Long}}'.repeat(26_000))).toBe('body_html: at most 256 KiB of UTF-8 with its templates');
    expect(await saved('{{> Long}}'.repeat(6))).toBe('body_html: at most 256 KiB of UTF-8 with its templates');
  });

  it('works in campaign files, and the same file again changes nothing', async () => {
    const { app, caller } = installation;
    await insertAccount(app, { email: 'files@us.example' });
    const file = {
      ...{ name: 'Of a file', accounts: ['files@us.example'] },
      steps: [{ subject: 'Hi', text: 'Hello.\n\n{{> Prices}}' }],
    };
    const apply = () => applyCampaigns(app, caller, [file], { dryRun: false });
    const first = await apply();
    expect(first.results[0]?.after.steps).toMatchObject([{ body: '<p>Hello.</p>\n<p>From 9 euros for {{company|you}}.</p>' }]);
    expect((await apply()).results[0]?.action).toBe('none');
    const twice = await applyCampaigns(app, caller, [{ ...file, steps: [{ subject: 'Hi', text: '{{> Twice}}' }] }], { dryRun: true });
    expect(twice.mistakes).toMatchObject([{ field: 'steps[0].body', message: 'several templates are named "Twice"; rename all but one' }]);
  });
});

describe('a template in an answer', () => {
  it('is merged with the contact; the person’s own braces stay as they are', async () => {
    const replied = await repliedContact({ installation, imap, sink });
    await installation.app.db.query(
      sql`update contacts set company = 'Tom & Co' where id = (select contact_id from replies where id = ${replied.id})`,
    );
    expect((await replied.answer({ text: 'Gladly, {{name}}.\n\n{{> Prices}}' })).status).toBe(200);
    expect(await replied.send()).toBe(1);
    const { thread } = await replied.read();
    expect(thread.at(-1).text).toContain('Gladly, {{name}}.');
    expect(thread.at(-1).text).toContain('From 9 euros for Tom & Co.');
  });

  it('is refused where it does not exist, or says what an answer has no value for', async () => {
    const replied = await repliedContact({ installation, imap, sink });
    await template('Leave', '<p>{{unsubscribe_url}}</p>');
    const refused = async (text: string) => (await replied.answer({ text })).body.error.message;
    expect(await refused('{{> Nobody}}')).toBe('body: there is no template named "Nobody"; outreach template list shows all templates');
    expect(await refused('{{> Leave}}')).toBe('body: the template "Leave" has {{unsubscribe_url}}, which answers have no value for');
    expect(await replied.answers()).toEqual([]);
  });
});
