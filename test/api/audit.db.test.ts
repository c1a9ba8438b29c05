import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { afterFile } from '../support/after-file.ts';
import type { ApiAnswer, ApiClient } from '../support/api-client.ts';
import { formOf } from '../support/form.ts';
import { operationsOf } from '../support/openapi.ts';
import { member } from '../support/people.ts';
import { startReceiver } from '../support/receiver.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertReply, insertRow, rowOf } from '../support/rows.ts';
import { startSender } from '../support/sender.ts';
import { servedInstallation } from '../support/served.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

const { api, app, clock, caller } = await servedInstallation({ webhooksAllowPrivate: true });
const { operations } = await operationsOf(api.url);
const receiver = await startReceiver();
const sink = await startSmtpSink({ users: { me: 'secret' } });
afterFile(() => sink.close());
let viewOnly: ApiClient;
let me: { user_id: number; api_key_id: number };

/** A request that changes something, and the id of the changed record if it is known before. */
interface Change {
  path: string;
  body?: object;
  id?: number | null;
}

let made = 0;
const next = () => ++made;
const created = async (path: string, body: object): Promise<number> => {
  const answer = await api.post(path, body);
  if (answer.status >= 300) throw new Error(`${path} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
const contact = () => created('/contacts', { email: `c${next()}@example.org` });
const csv = { file: 'email\n' };
const list = () => created('/lists', { name: 'L' });
const template = () => created('/templates', { name: 'T', body_html: 'B' });
const rotation = async () => created('/rotations', { campaign_id: await campaign(), account_ids: [await account()] });
const webhook = () => created('/webhooks', { url: receiver.url });
const account = () => insertAccount(app);
const campaign = async () => created('/campaigns', { name: 'C', account_id: await account() });
const step = async (campaignId: number) => created(`/campaigns/${campaignId}/steps`, { subject: 'S', body_html: 'B' });
const invitee = () => created('/users', { name: 'New', email: `i${next()}@example.com`, role: 'manager' });
const summaryOf = (userId: number) =>
  app.db.query(sql`
    insert into scheduled_emails (workspace_id, user_id, kind, at_minute, timezone, next_at, after_reply_id)
    values (1, ${userId}, 'daily_summary', 480, 'UTC', ${clock.now()}, 0)`);
const person = async () => (await member(app, 'manager')).id;

/** A campaign with two steps and a contact in it. */
async function enrolled(): Promise<{ campaignId: number; contactId: number }> {
  const [campaignId, contactId] = [await campaign(), await contact()];
  await step(campaignId);
  await api.post(`/campaigns/${campaignId}/contacts`, { contact_ids: [contactId] });
  return { campaignId, contactId };
}

/** Sends requests that the change needs first. */
const after = async (path: string, verbs: readonly string[]) => {
  for (const verb of verbs) await api.post(`${path}/${verb}`);
};
const on =
  (make: () => Promise<number>, collection: string, rest = '', options: { body?: object; first?: string[] } = {}) =>
  async (): Promise<Change> => {
    const id = await make();
    await after(`/${collection}/${id}`, options.first ?? []);
    return { path: `/${collection}/${id}${rest}`, id, ...(options.body && { body: options.body }) };
  };

const sharesOf = (type: string, noun: string, make: () => Promise<number>): Record<string, [string, () => Promise<Change>]> => ({
  [`POST /${type}/{id}/shares`]: [`${noun}.share`, async () => on(make, type, '/shares', { body: { user_id: await person() } })()],
  [`DELETE /${type}/{id}/shares/{user_id}`]: [
    `${noun}.unshare`,
    async () => {
      const [id, userId] = [await make(), await person()];
      await api.post(`/${type}/${id}/shares`, { user_id: userId });
      return { path: `/${type}/${id}/shares/${userId}`, id };
    },
  ],
  [`PUT /${type}/{id}/owner`]: [`${noun}.give`, async () => on(make, type, '/owner', { body: { user_id: await person() } })()],
});

/** A call to make to an enrolled contact. */
async function call(): Promise<number> {
  const campaignId = await insertCampaign(app, {}, [{}, { kind: 'call' }]);
  const { id: enrolmentId } = await insertEnrolment(app, campaignId);
  const [, step_id] = (await api.get(`/campaigns/${campaignId}/steps`)).body.data.map(({ id }: { id: number }) => id);
  const now = clock.now();
  return insertRow(app, 'call_tasks', {
    ...{ workspace_id: 1, campaign_id: campaignId, enrolment_id: enrolmentId, step_id, due_at: now, created_at: now },
  });
}

/** An email whose delivery is unknown after a crash. */
async function unknownEmail(): Promise<number> {
  const campaignId = await insertCampaign(app);
  const { id: enrolment_id, contactId } = await insertEnrolment(app, campaignId, { due_at: clock.now() });
  const [step] = await app.db.query<{ id: number; account_id: number }>(
    sql`select s.id, c.account_id from steps s join campaigns c on c.id = s.campaign_id where c.id = ${campaignId}`,
  );
  return insertRow(app, 'outbox', {
    ...{ workspace_id: 1, campaign_id: campaignId, enrolment_id, contact_id: contactId, account_id: step?.account_id, step_id: step?.id },
    ...{ step_order: 1, recipient: 'r@example.org', state: 'unknown', message_id: `<m${next()}>` },
    ...{ claimed_at: clock.now(), transmitting_at: clock.now() },
  });
}

/** A request about a draft of an answer, which is in the history of its reply. */
const onDraft =
  (rest = '', body?: object) =>
  async (): Promise<Change> => {
    const id = await reply();
    return { path: `/drafts/${await created(`/replies/${id}/drafts`, { text: 'Hello' })}${rest}`, id, ...(body && { body }) };
  };

/** A reply of a contact who was emailed. */
const reply = async (values: Record<string, unknown> = {}) =>
  insertReply(app, await insertEnrolment(app, await insertCampaign(app)), values);
const undecided = () => reply({ may_ask_to_be_removed: true });

const inCampaign =
  (rest: string, body?: object, first: string[] = []) =>
  async (): Promise<Change> => {
    const { campaignId, contactId } = await enrolled();
    await after(`/campaigns/${campaignId}/contacts/${contactId}`, first);
    return { path: `/campaigns/${campaignId}/contacts/${contactId}/${rest}`, ...(body && { body }) };
  };

const manyInCampaign =
  (verb: string, body: object = {}) =>
  async (): Promise<Change> => {
    const { campaignId, contactId } = await enrolled();
    return { path: `/campaigns/${campaignId}/contacts/${verb}`, body: { contact_ids: [contactId], ...body } };
  };

/** The enrolment of `reply` is active: the new kind's effect ends it, and so completes the campaign. */
const ENDED_BY_REPLY = ['enrolment.end', 'campaign.complete'] as const;

/** For every operation that writes: the action that the audit log records, and a request that changes something. */
const CHANGES: Record<string, [action: string, prepare: () => Promise<Change>, alongside?: readonly string[]]> = {
  'POST /contacts': ['contact.create', async () => ({ path: '/contacts', body: { email: `c${next()}@example.org` } })],
  'POST /contacts/batch': [
    'contact.create',
    async () => ({ path: '/contacts/batch', body: { contacts: [{ email: `c${next()}@example.org` }] } }),
  ],
  'PUT /contacts/by-email/{email}': ['contact.create', async () => ({ path: `/contacts/by-email/c${next()}@example.org`, body: {} })],
  'POST /suppressions/batch': [
    'suppression.add',
    async () => ({ path: '/suppressions/batch', body: { suppressions: [{ email: `s${next()}@example.org` }] } }),
  ],
  'PATCH /contacts/{id}': ['contact.update', on(contact, 'contacts', '', { body: { name: 'New' } })],
  'DELETE /contacts/{id}': ['contact.delete', on(contact, 'contacts')],
  'POST /contacts/{id}/archive': ['contact.archive', on(contact, 'contacts', '/archive')],
  'POST /contacts/{id}/unarchive': ['contact.unarchive', on(contact, 'contacts', '/unarchive', { first: ['archive'] })],
  'POST /contacts/{id}/merge': [
    'contact.merge',
    async () => {
      const id = await insertContact(app, { email: `m${next()}@example.org` });
      const { email } = await rowOf<{ email: string }>(app, 'contacts', id);
      return { path: `/contacts/${id}/merge`, body: { contact_id: await insertContact(app, { email: email.replace('@', '+x@') }) }, id };
    },
    ['contact.delete'],
  ],
  'POST /accounts/{id}/pause': ['account.pause', on(account, 'accounts', '/pause')],
  'POST /accounts/{id}/resume': ['account.resume', on(account, 'accounts', '/resume', { first: ['pause'] })],
  'POST /accounts/{id}/archive': ['account.archive', on(account, 'accounts', '/archive')],
  'POST /accounts/{id}/unarchive': ['account.unarchive', on(account, 'accounts', '/unarchive', { first: ['archive'] })],
  'POST /accounts/{id}/test': [
    'account.resume',
    async () => {
      const { accountId } = await startSender({ app, caller }, sink);
      await app.db.query(sql`update accounts set status = 'paused', pause_reason = 'provider_error' where id = ${accountId}`);
      return { path: `/accounts/${accountId}/test`, id: accountId };
    },
  ],
  'POST /accounts/{id}/placements': [
    'account.placement',
    async () => {
      const { accountId } = await startSender({ app, caller }, sink);
      return { path: `/accounts/${accountId}/placements`, id: accountId, body: { to: [await insertAccount(app, { imap: '{}' })] } };
    },
  ],
  'DELETE /accounts/{id}': ['account.delete', on(account, 'accounts')],
  'POST /campaigns': ['campaign.create', async () => ({ path: '/campaigns', body: { name: 'C', account_id: await account() } })],
  'PATCH /campaigns/{id}': ['campaign.update', on(campaign, 'campaigns', '', { body: { name: 'New' } })],
  'PATCH /campaigns/{id}/options': ['campaign.update', on(campaign, 'campaigns', '/options', { body: { auto_reopen: false } })],
  'POST /campaigns/{id}/copy': ['campaign.create', async () => ({ path: `/campaigns/${await campaign()}/copy` })],
  'DELETE /campaigns/{id}': ['campaign.delete', on(campaign, 'campaigns')],
  'POST /campaigns/apply': [
    'campaign.create',
    async () => {
      const { email } = (await api.get(`/accounts/${await account()}`)).body;
      return { path: '/campaigns/apply', body: { campaigns: [{ name: 'Applied', accounts: [email] }] } };
    },
  ],
  'POST /campaigns/{id}/report-links': ['campaign.share_report', on(campaign, 'campaigns', '/report-links')],
  'DELETE /report-links/{id}': [
    'campaign.unshare_report',
    async () => {
      const id = await campaign();
      return { path: `/report-links/${await created(`/campaigns/${id}/report-links`, {})}`, id };
    },
  ],
  'POST /history/{id}/undo': [
    'campaign.update',
    async () => {
      const id = await campaign();
      await api.patch(`/campaigns/${id}`, { name: 'New' });
      return { path: `/history/${await lastRow()}/undo`, id };
    },
  ],
  'PATCH /users/{id}': ['user.change_role', on(person, 'users', '', { body: { role: 'view_only' } })],
  'PUT /users/{id}/daily-summary': [
    'user.set_daily_summary',
    async () => {
      const id = await person();
      await summaryOf(id);
      return { path: `/users/${id}/daily-summary`, body: { at: null }, id };
    },
  ],
  'PUT /me/daily-summary': [
    'user.set_daily_summary',
    async () => {
      await summaryOf(me.user_id);
      return { path: '/me/daily-summary', body: { at: null }, id: me.user_id };
    },
  ],
  'PUT /weekly-reports': [
    'user.set_weekly_report',
    async () => {
      await app.db.query(sql`
        insert into scheduled_emails (workspace_id, user_id, kind, at_minute, timezone, next_at)
        values (1, ${me.user_id}, 'weekly_report', 480, 'UTC', now())`);
      return { path: '/weekly-reports', body: { user_id: me.user_id, is_on: false }, id: me.user_id };
    },
  ],
  'POST /users/{id}/remove': ['user.remove', on(person, 'users', '/remove')],
  'POST /keys': ['api_key.create', async () => ({ path: '/keys', body: { name: 'K', user_id: await person() } })],
  'DELETE /keys/{id}': ['api_key.revoke', on(async () => created('/keys', { name: 'K', user_id: await person() }), 'keys')],
  'POST /outbox/{id}/resolve': [
    'outbox.sent',
    on(unknownEmail, 'outbox', '/resolve', { body: { decision: 'sent' } }),
    ['campaign.complete'],
  ],
  'POST /trash/restore': [
    'list.restore',
    async () => {
      const id = await list();
      await api.delete(`/lists/${id}`);
      return { path: '/trash/restore', body: { type: 'lists', id }, id };
    },
  ],
  'POST /person/erase': [
    'person.erase',
    async () => {
      const { body } = await api.get(`/contacts/${await contact()}`);
      return { path: '/person/erase', body: { email: body.email }, id: null };
    },
    ['contact.delete'],
  ],
  'POST /campaigns/{id}/test': [
    'campaign.test',
    async () => {
      const { campaignId } = await startSender({ app, caller }, sink);
      return { path: `/campaigns/${campaignId}/test`, id: campaignId, body: { to: 'me@example.com' } };
    },
  ],
  'POST /campaigns/{id}/activate': [
    'campaign.activate',
    async () => {
      const { campaignId } = await enrolled();
      return { path: `/campaigns/${campaignId}/activate`, id: campaignId };
    },
  ],
  'POST /campaigns/{id}/pause': ['campaign.pause', on(campaign, 'campaigns', '/pause')],
  'POST /campaigns/{id}/archive': ['campaign.archive', on(campaign, 'campaigns', '/archive')],
  'POST /campaigns/{id}/unarchive': ['campaign.unarchive', on(campaign, 'campaigns', '/unarchive', { first: ['archive'] })],
  'POST /campaigns/{id}/steps': ['step.create', on(campaign, 'campaigns', '/steps', { body: { subject: 'S', body_html: 'B' } })],
  'POST /attachments': ['attachment.upload', async () => ({ path: '/attachments', body: csv })],
  'POST /campaigns/{id}/steps/{step_id}/attachments': [
    'step.update',
    async () => {
      const [id, { body: file }] = [await campaign(), await api.post('/attachments', formOf(csv))];
      return { path: `/campaigns/${id}/steps/${await step(id)}/attachments`, body: { sha256: file.sha256, name: 'a.csv' }, id };
    },
  ],
  'DELETE /campaigns/{id}/steps/{step_id}/attachments/{attachment_id}': [
    'step.update',
    async () => {
      const [id, { body: file }] = [await campaign(), await api.post('/attachments', formOf(csv))];
      const path = `/campaigns/${id}/steps/${await step(id)}/attachments`;
      return { path: `${path}/${await created(path, { sha256: file.sha256, name: 'a.csv' })}`, id };
    },
  ],
  'PATCH /campaigns/{id}/steps/{step_id}': [
    'step.update',
    async () => {
      const campaignId = await campaign();
      return { path: `/campaigns/${campaignId}/steps/${await step(campaignId)}`, body: { subject: 'New' }, id: campaignId };
    },
  ],
  'PATCH /campaigns/{id}/steps/{step_id}/options': [
    'step.update',
    async () => {
      const campaignId = await campaign();
      return { path: `/campaigns/${campaignId}/steps/${await step(campaignId)}/options`, body: { wait_hours: 6 }, id: campaignId };
    },
  ],
  'DELETE /campaigns/{id}/steps/{step_id}': [
    'step.delete',
    async () => {
      const campaignId = await campaign();
      return { path: `/campaigns/${campaignId}/steps/${await step(campaignId)}`, id: campaignId };
    },
  ],
  'POST /campaigns/{id}/steps/{step_id}/move': [
    'step.move',
    async () => {
      const campaignId = await campaign();
      const [, second] = [await step(campaignId), await step(campaignId)];
      return { path: `/campaigns/${campaignId}/steps/${second}/move`, id: campaignId, body: { step_order: 1 } };
    },
  ],
  'POST /campaigns/{id}/contacts': [
    'campaign.enrol',
    async () => on(campaign, 'campaigns', '/contacts', { body: { contact_ids: [await contact()] } })(),
  ],
  'POST /campaigns/{id}/contacts/stop': ['enrolment.end', manyInCampaign('stop')],
  'POST /campaigns/{id}/contacts/hold': ['enrolment.hold', manyInCampaign('hold', { until: '2030-01-01T00:00:00Z' })],
  'POST /campaigns/{id}/contacts/{contact_id}/stop': ['enrolment.end', inCampaign('stop')],
  'POST /campaigns/{id}/contacts/{contact_id}/resume': ['enrolment.resume', inCampaign('resume', undefined, ['stop'])],
  'POST /campaigns/{id}/contacts/{contact_id}/hold': ['enrolment.hold', inCampaign('hold', { until: '2030-01-01T00:00:00Z' })],
  'POST /rotations': [
    'rotation.create',
    async () => ({ path: '/rotations', body: { campaign_id: await campaign(), account_ids: [await account()] } }),
    ['campaign.create'],
  ],
  'POST /rotations/{id}/accounts': [
    'rotation.add',
    async () => on(rotation, 'rotations', '/accounts', { body: { account_ids: [await account()] } })(),
    ['campaign.create'],
  ],
  'DELETE /rotations/{id}/accounts/{account_id}': [
    'rotation.remove',
    async () => {
      const id = await rotation();
      const { members } = (await api.get(`/rotations/${id}`)).body;
      return { path: `/rotations/${id}/accounts/${members[0].account_id}`, id };
    },
    ['campaign.leave_rotation'],
  ],
  'POST /rotations/{id}/activate': [
    'campaign.activate',
    async () => {
      const { campaignId } = await enrolled();
      const { body } = await api.post('/rotations', { campaign_id: campaignId, account_ids: [await account()] });
      return { path: `/rotations/${body.id}/activate` };
    },
    ['campaign.activate'],
  ],
  'POST /rotations/{id}/pause': ['campaign.pause', async () => ({ path: `/rotations/${await rotation()}/pause` }), ['campaign.pause']],
  'POST /calls/{id}/done': ['call.done', on(call, 'calls', '/done'), ['campaign.complete']],
  'POST /calls/{id}/skip': ['call.skipped', on(call, 'calls', '/skip'), ['campaign.complete']],
  'POST /templates': ['template.create', async () => ({ path: '/templates', body: { name: 'T', body_html: 'B' } })],
  'PATCH /templates/{id}': ['template.update', on(template, 'templates', '', { body: { name: 'New' } })],
  'DELETE /templates/{id}': ['template.delete', on(template, 'templates')],
  'POST /templates/{id}/archive': ['template.archive', on(template, 'templates', '/archive')],
  'POST /templates/{id}/unarchive': ['template.unarchive', on(template, 'templates', '/unarchive', { first: ['archive'] })],
  'PATCH /replies/{id}': ['reply.update', on(() => reply(), 'replies', '', { body: { label: 'New' } })],
  'POST /replies/{id}/answer': ['reply.answer', on(() => reply(), 'replies', '/answer', { body: { text: 'Hello' } })],
  'POST /replies/{id}/drafts': ['reply.draft', on(() => reply(), 'replies', '/drafts', { body: { text: 'Hello' } })],
  'PATCH /drafts/{id}': ['reply.revise', onDraft('', { text: 'Good day' })],
  'DELETE /drafts/{id}': ['reply.discard', onDraft()],
  'POST /drafts/{id}/approve': ['reply.answer', onDraft('/approve')],
  'POST /replies/{id}/confirm-opt-out': [
    'reply.reclassify',
    on(undecided, 'replies', '/confirm-opt-out'),
    [...ENDED_BY_REPLY, 'suppression.add'],
  ],
  'POST /replies/{id}/dismiss-opt-out': ['reply.reclassify', on(undecided, 'replies', '/dismiss-opt-out'), ENDED_BY_REPLY],
  'POST /replies/{id}/reclassify': [
    'reply.reclassify',
    on(() => reply(), 'replies', '/reclassify', { body: { kind: 'colleague' } }),
    ENDED_BY_REPLY,
  ],
  'POST /imports': ['import.create', async () => ({ path: '/imports', body: csv })],
  'POST /imports/{id}/cancel': ['import.cancel', on(async () => created('/imports', formOf(csv)), 'imports', '/cancel')],
  'POST /lists': ['list.create', async () => ({ path: '/lists', body: { name: 'L' } })],
  'PATCH /lists/{id}': ['list.update', on(list, 'lists', '', { body: { name: 'New' } })],
  'DELETE /lists/{id}': ['list.delete', on(list, 'lists')],
  'POST /lists/{id}/members': [
    'list.add_members',
    async () => on(list, 'lists', '/members', { body: { contact_ids: [await contact()] } })(),
  ],
  'DELETE /lists/{id}/members/{contact_id}': [
    'list.remove_member',
    async () => {
      const [id, contactId] = [await list(), await contact()];
      await api.post(`/lists/${id}/members`, { contact_ids: [contactId] });
      return { path: `/lists/${id}/members/${contactId}`, id };
    },
  ],
  'POST /custom-fields': ['custom_field.create', async () => ({ path: '/custom-fields', body: { name: `F${next()}` } })],
  'DELETE /custom-fields/{id}': ['custom_field.delete', on(() => created('/custom-fields', { name: `F${next()}` }), 'custom-fields')],
  'POST /suppressions': ['suppression.add', async () => ({ path: '/suppressions', body: { email: `s${next()}@example.org` } })],
  'DELETE /suppressions': [
    'suppression.remove',
    async () => {
      const email = `s${next()}@example.org`;
      return { id: await created('/suppressions', { email }), path: '/suppressions', body: { email } };
    },
  ],
  'POST /users': ['user.add', async () => ({ path: '/users', body: { name: 'New', email: `u${next()}@example.com`, role: 'manager' } })],
  'POST /users/{id}/invite': ['user.invite', on(invitee, 'users', '/invite')],
  'POST /users/{id}/disable': ['user.disable', on(person, 'users', '/disable')],
  'POST /users/{id}/enable': ['user.enable', on(person, 'users', '/enable', { first: ['disable'] })],
  ...sharesOf('campaigns', 'campaign', campaign),
  ...sharesOf('contacts', 'contact', contact),
  ...sharesOf('templates', 'template', template),
  ...sharesOf('accounts', 'account', account),
  'POST /webhooks': ['webhook.create', async () => ({ path: '/webhooks', body: { url: receiver.url } })],
  'PATCH /webhooks/{id}': ['webhook.update', on(webhook, 'webhooks', '', { body: { name: 'New' } })],
  'DELETE /webhooks/{id}': ['webhook.delete', on(webhook, 'webhooks')],
  'POST /webhooks/{id}/test': ['webhook.test', on(webhook, 'webhooks', '/test')],
  'POST /webhooks/{id}/rotate-secret': ['webhook.rotate_secret', on(webhook, 'webhooks', '/rotate-secret')],
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': [
    'webhook.redeliver',
    async () => {
      const id = await webhook();
      const delivery = await created(`/webhooks/${id}/test`, {});
      return { path: `/webhooks/${id}/deliveries/${delivery}/redeliver`, id };
    },
  ],
  'POST /webhooks/deliveries/{delivery_id}/redeliver': [
    'webhook.redeliver',
    async () => {
      const id = await webhook();
      return { path: `/webhooks/deliveries/${await created(`/webhooks/${id}/test`, {})}/redeliver`, id };
    },
  ],
  'POST /webhooks/{id}/replay': ['webhook.replay', on(webhook, 'webhooks', '/replay', { body: { since: '2026-07-07T00:00:00Z' } })],
};

/** Operations that measure and store the result, which is not a change. */
const MEASURES = ['POST /accounts/{id}/health', 'POST /accounts/{id}/placements/find', 'POST /contacts/verify'];

/** Repeating these changes nothing, and so leaves no second row. */
const REPEATABLE = /^PATCH|\}\/(archive|unarchive|pause|resume|activate|disable|enable|stop|shares|members|contacts)$|\/contacts\/stop$/;

const send = (as: ApiClient, name: string, { path, body }: Change): Promise<ApiAnswer> => {
  if (name === 'POST /imports' || name === 'POST /attachments') return as.post(path, formOf(body ?? {}));
  if (name.startsWith('POST')) return as.post(path, body);
  if (name.startsWith('PUT')) return as.put(path, body);
  return name.startsWith('PATCH') ? as.patch(path, body) : as.delete(path, body);
};

/** Returns digests of all tables, without the times when keys were last used. */
async function everything(): Promise<Record<string, string>> {
  const rows = await app.db.query<{ name: string; digest: string }>(sql`select name, digest from digests()`);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/**
 * Creates the function that digests each table. By default PostgreSQL would start two parallel workers for so many tables, which takes most of the
 * time.
 */
async function makeDigests(): Promise<void> {
  const tables = await app.db.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`);
  const digests = tables.map(
    ({ name }) => `select '${name}', sum(hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0))::text from "${name}" t`,
  );
  await app.db.pool.query(`
    create function digests() returns table (name text, digest text) set max_parallel_workers_per_gather = 0
    language sql as $$ ${digests.join(' union all ')} $$`);
}

const lastRow = async () => (await app.db.query<{ id: string }>(sql`select max(id)::text as id from audit_log`))[0]?.id ?? '0';
const rowsSince = (id: string) =>
  app.db.query(sql`
    select workspace_id, actor, user_id, api_key_id, host(ip) as ip, action, resource_type, resource_id::int as resource_id, at = ${clock.now()} as is_now
    from audit_log where id > ${id}::bigint order by id`);

beforeAll(async () => {
  viewOnly = api.as((await member(app, 'view_only')).key);
  me = (await api.get('/me')).body;
  await app.db.pool.query(`
    create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit row now'; end $$;
    create trigger refuse_audit before insert on audit_log for each row execute function refuse_audit();
    alter table audit_log disable trigger refuse_audit`);
  await makeDigests();
});

describe('Audit: every change made through a key is recorded against its owner with the IP address, once, or not made', () => {
  it('every operation that writes is among those below', () => {
    const writes = operations.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
    expect([...Object.keys(CHANGES), ...MEASURES].sort()).toEqual(writes.sort());
  });

  it.each(Object.entries(CHANGES))('%s', async (name, [action, prepare, alongside = []]) => {
    const change = await prepare();
    const untouched = await everything();

    // A refusal changes nothing and leaves no row.
    expect((await send(api.as(null), name, change)).status).toBe(401);
    expect((await send(viewOnly, name, change)).status).toBe(403);
    expect((await send(api, name, { ...change, body: { ...change.body, no_such_field: 1 } })).status).toBe(400);
    expect(await everything(), 'refused').toEqual(untouched);

    // Change and audit row are one transaction: if the row can't be written, nothing is.
    await app.db.pool.query('alter table audit_log enable trigger refuse_audit');
    const failed = await send(api, name, change);
    await app.db.pool.query('alter table audit_log disable trigger refuse_audit');
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
    expect(await everything(), 'without its row').toEqual(untouched);

    const before = await lastRow();
    const answer = await send(api, name, change);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const row = {
      workspace_id: 1,
      actor: 'user',
      user_id: me.user_id,
      api_key_id: me.api_key_id,
      ip: '127.0.0.1',
      action,
      // Changes to steps are in the history of their campaign.
      resource_type: action.split('.')[0]?.replace('step', 'campaign'),
      resource_id:
        change.id === null ? null : (change.id ?? (/\.(create|add)$/.test(action) ? answer.body.id : undefined) ?? expect.any(Number)),
      is_now: true,
    };
    const rows = await rowsSince(before);
    expect(rows).toContainEqual(row);
    expect(rows.map((each) => each.action).toSorted()).toEqual([action, ...alongside].toSorted());

    if (!REPEATABLE.test(name)) return;
    const done = await everything();
    expect((await send(api, name, change)).status).toBe(200);
    expect(await everything(), 'done again').toEqual(done);
  });
});
