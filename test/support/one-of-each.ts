import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import type { ApiAnswer, ApiClient } from './api-client.ts';
import { formOf } from './form.ts';
import type { Operation } from './openapi.ts';
import { type Enrolled, insertAccount, insertReply, insertRow } from './rows.ts';

/** Ids by the segment of the path that they follow, for example `custom-fields`. */
export type Ids = Record<string, number>;

/**
 * Creates one of everything that a path can name, each below another if there is a path for that. The mailbox is inserted as a row, since
 * connecting it requires a live server. Needs `webhooksAllowPrivate`.
 * @param api a client with the key of an admin of the workspace
 * @param userId that admin
 */
export async function makeOneOfEach(app: App, api: ApiClient, workspaceId: number, userId: number): Promise<Ids> {
  const account = () => insertAccount(app, { workspace_id: workspaceId, created_by: null });
  const accounts = await account();
  const made = async (path: string, body: object, status = 201) => {
    const answer = await api.post(path, body);
    expect(answer.status, path).toBe(status);
    return answer.body.id as number;
  };
  const ids = {
    accounts,
    users: userId,
    campaigns: await made('/campaigns', { name: 'C', account_id: accounts }),
    contacts: await made('/contacts', { email: `c${workspaceId}@example.org` }),
    lists: await made('/lists', { name: 'L' }),
    templates: await made('/templates', { name: 'T', body_html: 'B' }),
    'custom-fields': await made('/custom-fields', { name: 'F' }),
    ...(await webhookWithDelivery(api)),
  };
  const steps = await made(`/campaigns/${ids.campaigns}/steps`, { subject: 'S', body_html: 'B' });
  const { body: file } = await api.post('/attachments', formOf({ file: 'A' }));
  const attachments = await made(`/campaigns/${ids.campaigns}/steps/${steps}/attachments`, { sha256: file.sha256, name: 'a.csv' });
  await made(`/campaigns/${ids.campaigns}/contacts`, { contact_ids: [ids.contacts] }, 200);
  await made(`/lists/${ids.lists}/members`, { contact_ids: [ids.contacts] }, 200);
  const enrolment = await enrolmentOf(app, ids.campaigns, ids.contacts);
  const replies = await insertReply(app, enrolment);
  const drafts = await made(`/replies/${replies}/drafts`, { text: 'Tuesday suits me.' });
  for (const type of ['campaigns', 'contacts', 'templates', 'accounts'] as const)
    await made(`/${type}/${ids[type]}/shares`, { user_id: userId });
  const rotated = await made('/campaigns', { name: 'R', account_id: accounts });
  const rotations = await made('/rotations', { campaign_id: rotated, account_ids: [await account()] });
  const [email] = await app.db.query<{ id: number }>(sql`select id from outbox where enrolment_id = ${enrolment.id}`);
  const keys = await made('/keys', { name: 'K', user_id: userId });
  const call = {
    campaign_id: ids.campaigns,
    enrolment_id: enrolment.id,
    step_id: steps,
    due_at: app.clock.now(),
    created_at: app.clock.now(),
  };
  const calls = await insertRow(app, 'call_tasks', { workspace_id: workspaceId, ...call });
  const reportLinks = await made(`/campaigns/${ids.campaigns}/report-links`, {});
  const history = (await api.get(`/history?resource=contacts/${ids.contacts}`)).body.data[0].id as number;
  const imports = await made('/imports', formOf({ file: 'email\n' }));
  return {
    ...ids,
    'report-links': reportLinks,
    history,
    imports,
    steps,
    attachments,
    replies,
    drafts,
    rotations,
    calls,
    outbox: email?.id ?? 0,
    keys,
  };
}

async function enrolmentOf(app: App, campaignId: number, contactId: number): Promise<Enrolled> {
  const [row] = await app.db.query<{ id: number }>(
    sql`select id from enrolments where campaign_id = ${campaignId} and contact_id = ${contactId}`,
  );
  return { id: row?.id ?? 0, campaignId, contactId };
}

/** Creates a webhook whose test could not be delivered, which counts as a delivery all the same. */
async function webhookWithDelivery(api: ApiClient): Promise<{ webhooks: number; deliveries: number }> {
  const { body: webhook } = await api.post('/webhooks', { url: 'http://127.0.0.1:9/' });
  const { body: delivery } = await api.post(`/webhooks/${webhook.id}/test`);
  return { webhooks: webhook.id, deliveries: delivery.id };
}

/** Throws for a kind that `makeOneOfEach` doesn't make, so that a new resource can't be forgotten. */
export function idOf(ids: Ids, kind: string): number {
  const id = ids[kind];
  if (id === undefined) throw new Error(`the document has paths of ${kind}; make one in makeOneOfEach`);
  return id;
}

const COLLECTIONS: Record<string, string> = {
  account_id: 'accounts',
  attachment_id: 'attachments',
  step_id: 'steps',
  contact_id: 'contacts',
  user_id: 'users',
  delivery_id: 'deliveries',
};

/**
 * Fills the ids into a path: `{id}` of the resource that the path begins with, and those below it by their names. `{email}` belongs to no
 * contact.
 */
export function pathWith(operation: Operation, ids: Ids, below = ids): string {
  const [, resource = ''] = operation.path.split('/');
  return operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    name === 'email' ? 'by-path@example.org' : String(name === 'id' ? idOf(ids, resource) : idOf(below, COLLECTIONS[name] ?? name)),
  );
}

/** Sends a request. A POST has an Idempotency-Key, which makes it one transaction unless its operation says `callsOut`. */
export function send(api: ApiClient, { method, isForm }: Operation, path: string, body?: object): Promise<ApiAnswer> {
  if (method === 'GET') return api.get(path);
  if (isForm || method === 'POST') return api.post(path, isForm ? formOf(body ?? {}) : (body ?? {}), { 'idempotency-key': randomUUID() });
  if (method === 'PUT') return api.put(path, body ?? {});
  return method === 'PATCH' ? api.patch(path, body ?? {}) : api.delete(path, body);
}

export const named = (operation: Operation) => `${operation.method} ${operation.path}`;
