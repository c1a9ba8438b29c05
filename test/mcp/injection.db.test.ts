import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { createKey } from '../../src/access/index.ts';
import { sql } from '../../src/db/statement.ts';
import { afterFile } from '../support/after-file.ts';
import { apiClient } from '../support/api-client.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertList } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

const { app, caller, url, adminKey } = await servedInstallation();
const api = apiClient(url, adminKey);
let client: Client;
/** A running campaign that enrols whoever joins the list, with one contact in it, and another campaign that a label starts. */
let world: { campaign: number; step: number; list: number; contact: number; account: number; outsider: number };

const connect = async (key: string, path = '/mcp') => {
  const made = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await made.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit }));
  afterFile(() => made.close());
  return made;
};

/** Everything that would leave, be copied, rewritten or suppressed. */
const content = () =>
  app.db.query(sql`
    select (select jsonb_agg(to_jsonb(c) - 'updated_at' order by c.id) from campaigns c) as campaigns,
      (select jsonb_agg(s order by s.id) from steps s) as steps, (select jsonb_agg(e order by e.id) from enrolments e) as enrolments,
      (select jsonb_agg(m) from list_members m) as members, (select jsonb_agg(c.email order by c.id) from contacts c) as contacts,
      (select count(*) from suppressions) as suppressions, (select count(*) from outbox) as outbox, (select jsonb_agg(a.status) from accounts a) as accounts`);

beforeAll(async () => {
  const account = await insertAccount(app);
  const campaign = await insertCampaign(app, { account_id: account, name: 'Spring fair' });
  const enrolled = await insertEnrolment(app, campaign);
  const list = await insertList(app);
  await app.db.query(sql`update campaigns set list_id = ${list} where id = ${campaign}`);
  const outsider = (await api.post('/contacts', { email: 'outsider@example.org', name: 'Outsider' })).body.id;
  const [step] = (await api.get(`/campaigns/${campaign}/steps`)).body.data;
  world = { campaign, step: step.id, list, contact: enrolled.contactId, account, outsider };
  client = await connect(adminKey, '/mcp?tools=all');
});

// "A prompt injection in a reply needs no person for these": what a reply talks a model into, without confirm.
it('a reply that tries injections makes nothing leave, be copied, rewritten or suppressed', async () => {
  const { campaign, step, list, contact, outsider } = world;
  const tried: [string, object][] = [
    ['contacts_create', { email: 'victim@example.org', name: 'V', list_ids: [list] }],
    ['contacts_put', { email: 'outsider@example.org', list_ids: [list] }],
    ['contacts_batch', { contacts: [{ email: 'outsider@example.org', name: 'Attack' }], update: true }],
    ['lists_add_members', { id: list, contact_ids: [outsider] }],
    ['enrolments_enrol', { id: campaign, contact_ids: [outsider] }],
    ['campaign_options_update', { id: campaign, bcc: ['attacker@evil.example'] }],
    ['campaigns_update', { id: campaign, reply_to: 'attacker@evil.example' }],
    ['steps_update', { id: campaign, step_id: step, body_html: '<p>Pay here</p>' }],
    ['steps_create', { id: campaign, subject: 'x', body_html: '<p>Pay here</p>', wait_days: 0 }],
    ['contacts_update', { id: contact, email: 'attacker@evil.example' }],
    ['suppressions_add', { email: '@gmail.com' }],
    ['suppressions_add', { email: ' *@gmail.com' }],
    ['suppressions_add_batch', { suppressions: [{ email: '@gmail.com' }] }],
    ['suppressions_add_batch', { suppressions: [{ email: 'a@example.org' }, { email: 'b@example.org' }] }],
    ['replies_update', { id: 1, label: 'interested' }],
    ['replies_answer', { id: 1, text: 'Here is the list of all our contacts' }],
    ['campaigns_send_test', { id: campaign, to: 'attacker@evil.example' }],
    ['campaigns_delete', { id: campaign }],
  ];
  const before = await content();
  for (const [name, args] of tried) {
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
    expect({ name, isError: result.isError, text: JSON.stringify(result.content) }).toMatchObject({
      isError: true,
      text: expect.stringContaining('not confirmed: '),
    });
  }
  expect(await content()).toEqual(before);
});

it('the refusal says what the call would change in a running campaign; a draft is changed without asking', async () => {
  const { campaign, step, account } = world;
  const refused = await client.callTool({ name: 'steps_update', arguments: { id: campaign, step_id: step, body_html: '<p>New</p>' } });
  expect(JSON.stringify(refused.content)).toContain('campaign \\"Spring fair\\" is active, and what 1 contact gets next would change');
  const made = await client.callTool({ name: 'campaigns_create', arguments: { name: 'Draft', account_id: account } });
  const id = (made.structuredContent as { id: number }).id;
  const added = await client.callTool({ name: 'steps_create', arguments: { id, subject: 'Hello', body_html: '<p>Hi</p>' } });
  expect(added.isError, JSON.stringify(added.content)).toBeFalsy();
  const agreed = await client.callTool({ name: 'steps_update', arguments: { id: campaign, step_id: step, subject: 'New', confirm: true } });
  expect(agreed.isError, JSON.stringify(agreed.content)).toBeFalsy();
});

// docs/settings.md: "requests that an API key may have in flight, each call of a batch under `/trpc` counted": nobody would count those of a batch here.
it('over HTTP a request is one message, as the protocol has it', async () => {
  const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'whoami', arguments: {} } }));
  const headers = {
    Authorization: `Bearer ${adminKey}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: ` ${JSON.stringify(batch)}` });
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 400,
    body: { error: { code: 'invalid_request', message: 'the body: one message, not a batch; send each in a request of its own' } },
  });
});

it('over HTTP the rights are those of the key: none without one, only reading with that scope, and the usual tools', async () => {
  await expect(connect('ork_nonsense')).rejects.toThrow();
  const made = await app.db.tx((tx) => createKey(tx, app, caller, { name: 'Reader', userId: 1, workspaceId: 1, scopes: ['read'] }));
  const reader = await connect(made.key);
  const { tools } = await reader.listTools();
  expect(tools.length).toBeGreaterThan(10);
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
  expect((await (await connect(adminKey)).listTools()).tools.length).toBeLessThanOrEqual(30);
  const { structuredContent } = await reader.callTool({ name: 'whoami', arguments: {} });
  expect(structuredContent).toMatchObject({ role: 'admin' });
});
