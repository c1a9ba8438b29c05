import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordLimitReached } from '../../src/accounts/index.ts';
import { openDueCalls } from '../../src/campaigns/index.ts';
import { EVENT_TYPES } from '../../src/core/event-types.ts';
import { recordEvents } from '../../src/events/index.ts';
import { keepHealth } from '../../src/health/keep-health.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { createWebhook, testWebhook } from '../../src/webhooks/index.ts';
import { listEventTypes } from '../../src/webhooks/types.ts';
import { apiClient } from '../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { blocksOf, pageText } from '../support/docs.ts';
import { freePort } from '../support/imap-server.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventOf, insertAccount, insertCampaign, insertContact, insertEnrolment, insertReply } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

let installation: TestInstallation;
let daemon: Daemon;
/** The receiver of the page, beside the modules that it imports. */
const folder = mkdtempSync(resolve('dist', 'receiver-'));

beforeAll(async () => {
  installation = await testInstallation({ webhooksAllowPrivate: true, tickSeconds: 0.2 });
  daemon = await startDaemon(installation.app, { databaseUrl: installation.databaseUrl });
});
afterAll(async () => {
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('docs/webhooks.md', () => {
  it('its receiver takes a message of ours and refuses one that is not', async () => {
    const { app, caller } = installation;
    const [program] = blocksOf('docs/webhooks.md', 'js');
    writeFileSync(join(folder, 'receiver.mjs'), program?.text ?? '');
    const port = await freePort();
    const { id, secret } = await createWebhook(app, caller, { url: `http://127.0.0.1:${port}/`, name: 'Receiver', types: ['event.sent'] });
    const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env: { PORT: String(port), WEBHOOK_SECRET: secret } });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    try {
      const isUp = () => fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false);
      await waitUntil('the receiver listens', isUp, 60);
      // Its clock is the machine's, and it refuses what is older than five minutes.
      installation.clock.set(new Date());
      expect(await testWebhook(app, caller, id)).toMatchObject({ status: 'delivered', response_status: 204 });
      expect(await waitUntil('the message is printed', () => printed, 60)).toBe(`webhook.test {"webhook":{"id":${id}}}\n`);
      expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(401);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

/** The names of all fields and the kinds of their values; null fits every kind. */
function shape(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, name === 'custom_fields' ? 'object' : shape(inner)]));
}

/** Takes the kind of what is null on the other side. */
function fitted(own: unknown, other: unknown): unknown {
  if (own === 'null' || other === 'null') return 'null';
  if (typeof own !== 'object' || own === null || typeof other !== 'object' || other === null) return own;
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fitted(value, (other as Record<string, unknown>)[name])]));
}

describe('docs/webhook-messages.md', () => {
  it('names every type, and no other', () => {
    const named = pageText('docs/webhook-messages.md').match(/`(event|campaign|account|task|contact|reply|webhook)\.\w+`/g) ?? [];
    expect([...new Set(named)].sort()).toEqual(
      listEventTypes()
        .map(({ type }) => `\`${type}\``)
        .sort(),
    );
  });

  it('each example has the fields of a message that is really sent', async () => {
    const { app, caller, clock, adminKey } = installation;
    const receiver = await startReceiver();
    const types = listEventTypes().flatMap(({ type }) => (type === 'webhook.test' ? [] : [type]));
    const { id } = await createWebhook(app, caller, { url: receiver.url, name: 'All', types });
    const account = await insertAccount(app);
    const contact = await insertContact(app, { email: 'ada@example.com', custom_fields: { city: 'London' } });
    // The clock is the real one, and calls open inside the window only.
    const window = { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 };
    const campaign = await insertCampaign(app, { account_id: account, ...window }, [{}, { kind: 'call' }]);
    const enrolment = await insertEnrolment(app, campaign, {
      ...{ contact_id: contact, current_step: 2, last_sent_step: 1, due_at: clock.now() },
    });
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'replied', { details: { snippet: 'Yes', body: 'Yes' } })]));
    await openDueCalls(app);
    const reply = await insertReply(app, enrolment);
    const api = apiClient(daemon.url ?? '', adminKey);
    // While somebody is left to write to; else the campaign may be completed first.
    await api.post(`/accounts/${account}/pause`);
    await api.patch(`/replies/${reply}`, { label: 'meeting' });
    await api.post('/suppressions', { email: 'ada@example.com', reason: 'unsubscribed' });
    const checks = [{ check: 'spf', state: 'watch', detail: 'no SPF record', remedy: 'add a TXT record' }] as const;
    await app.db.tx((tx) => keepHealth(tx, app, account, { checks, listsAskedAt: null }));
    await recordLimitReached(app, { id: account, workspaceId: caller.workspaceId, dailyLimit: 50 }, '2026-01-31');
    await testWebhook(app, caller, id);

    for (const { text } of blocksOf('docs/webhook-messages.md', 'json')) {
      const example = JSON.parse(text) as { id: string; type: string };
      const messages = () => receiver.received.map(({ body }) => JSON.parse(body) as typeof example);
      const sent = await waitUntil(`a message of type ${example.type}`, () => messages().find(({ type }) => type === example.type), 60);
      expect(sent.id).toMatch(/^msg_[0-9a-f]{32}$/);
      expect(example.id).toMatch(/^msg_[0-9a-f]{32}$/);
      expect(fitted(shape(example), shape(sent)), example.type).toEqual(fitted(shape(sent), shape(example)));
    }
    const headers = receiver.received[0]?.headers ?? {};
    for (const [, header = ''] of pageText('docs/webhook-messages.md').matchAll(/^\| `(webhook-\w+|user-agent)` \|/gm))
      expect(headers[header], header).toBeTypeOf('string');
    expect(pageText('docs/webhook-messages.md')).toContain(`\`${headers['user-agent']}\``);
  });
});

describe('docs/events.md', () => {
  it('names every type, in a table', () => {
    const [, table = ''] = /\| type \|[^\n]*\n((?:\|.*\n)+)/.exec(pageText('docs/events.md')) ?? [];
    const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, type]) => type);
    expect(named.sort()).toEqual([...EVENT_TYPES].sort());
  });

  it('docs/smart-search.md: each type is a field of searches', () => {
    const [, names = ''] = /^\| (.*) \| boolean or date \|/m.exec(pageText('docs/smart-search.md')) ?? [];
    expect(names.split(', ').sort()).toEqual(EVENT_TYPES.map((type) => `\`${type}\``).sort());
  });

  it('its example has the fields of a record of GET /events', async () => {
    const { app, adminKey } = installation;
    const enrolment = await insertEnrolment(app, await insertCampaign(app));
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'clicked', { url: 'https://example.com/' })]));
    const { body } = await apiClient(daemon.url ?? '', adminKey).get('/events?type=clicked&limit=1');
    const [example] = blocksOf('docs/events.md', 'json');
    expect(shape(JSON.parse(example?.text ?? ''))).toEqual(shape(body.data[0]));
  });
});
