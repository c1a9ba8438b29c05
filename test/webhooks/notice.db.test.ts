import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { INTERNET } from '../../src/core/network.ts';
import { roomFor } from '../../src/core/room.ts';
import { sql } from '../../src/db/statement.ts';
import { changeReply } from '../../src/replies/index.ts';
import type { StoredMessage } from '../../src/webhooks/envelope.ts';
import { createPoster, deliverWebhook, dueWebhooks, publish } from '../../src/webhooks/index.ts';
import { noticeBody } from '../../src/webhooks/notice.ts';
import { afterFile } from '../support/after-file.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

const { api, app, caller, clock } = await servedInstallation({ webhooksAllowPrivate: true });
const poster = createPoster({ allowPrivate: true, network: INTERNET });
const received: { url: string; body: unknown }[] = [];
const chat = createServer(async (request: IncomingMessage, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  received.push({ url: request.url ?? '', body: JSON.parse(text) });
  response.writeHead(200).end('ok');
}).listen(0, '127.0.0.1');
afterFile(() => void chat.close());
const url = (path: string) => `http://127.0.0.1:${(chat.address() as AddressInfo).port}/${path}`;

it('docs/webhooks.md: a chat gets a notice in its own format, of what a person may want to act on, and "webhook test" sends one at once', async () => {
  for (const format of ['slack', 'teams', 'discord']) {
    const { body } = await api.post('/webhooks', { url: url(format), format });
    const types = [
      ...['reply.received', 'reply.labelled', 'account.paused', 'account.limit_reached', 'account.health_changed', 'campaign.completed'],
    ];
    expect(body).toMatchObject({ format, types });
    expect((await api.post(`/webhooks/${body.id}/test`)).body.status).toBe('delivered');
  }
  expect(received.map(({ url: path }) => path)).toEqual(['/slack', '/teams', '/discord']);
  expect(received[0]?.body).toMatchObject({ blocks: [{ type: 'section' }] });
  expect(received[1]?.body).toMatchObject({ type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] });
  expect(received[2]?.body).toMatchObject({
    content: expect.stringContaining('Sent by the test command'),
    allowed_mentions: { parse: [] },
  });
});

it('docs/webhooks.md: --labels tells only of replies with one of these labels; of accounts and campaigns all the same', async () => {
  const { body } = await api.post('/webhooks', { url: url('labels'), format: 'slack', labels: ['interested'] });
  const reply = await insertReply(app, await insertEnrolment(app, await insertCampaign(app)));
  for (const label of ['question', 'interested', null]) await changeReply(app, caller, reply, { label });
  const rows = await app.db.query<{ label: string }>(
    sql`select data->'reply'->>'label' as label from webhook_deliveries where webhook_id = ${body.id} and type = 'reply.labelled'`,
  );
  expect(rows).toEqual([{ label: 'interested' }]);
});

it('docs/webhooks.md: in quiet hours, which are those of the workspace, messages wait; a test is sent at once', async () => {
  await app.db.query(sql`update workspaces set timezone = 'Asia/Tokyo' where id = 1`);
  const { body } = await api.post('/webhooks', { url: url('quiet'), format: 'slack', quiet_hours: '22-7' });
  const reply = await insertReply(app, await insertEnrolment(app, await insertCampaign(app)));
  // 22:30, 6:59 and 7:00 in Tokyo.
  clock.set(new Date('2026-07-07T13:30:00Z'));
  await changeReply(app, caller, reply, { label: 'interested' });
  const deliver = () => deliverWebhook(app, poster, body.id, new AbortController().signal);
  const isDue = async () => (await dueWebhooks(app, roomFor(10))).some(({ id }) => id === body.id);
  for (const [time, attempts] of [
    ['2026-07-07T13:30:00Z', 0],
    ['2026-07-07T21:59:00Z', 0],
    ['2026-07-07T22:00:00Z', 1],
  ] as const) {
    clock.set(new Date(time));
    expect([await isDue(), await deliver()], time).toEqual([attempts > 0, attempts]);
  }
  clock.set(new Date('2026-07-08T15:00:00Z'));
  expect((await api.post(`/webhooks/${body.id}/test`)).body.status).toBe('delivered');
  for (const quiet_hours of ['22', '7-7', '25-3', 'night'])
    expect((await api.patch(`/webhooks/${body.id}`, { quiet_hours })).status, quiet_hours).toBe(400);
  expect((await api.patch(`/webhooks/${body.id}`, { quiet_hours: null })).body.quiet_hours).toBeNull();
});

it('a time zone that the database does not know stops nobody: quiet hours are reckoned by the zones that the API takes', async () => {
  // Node knows it; PostgreSQL does not, as it does not know a zone that is newer than its own tables.
  await app.db.query(sql`update workspaces set timezone = 'AET' where id = 1`);
  const { body } = await api.post('/webhooks', { url: url('zone'), format: 'slack', quiet_hours: '22-7' });
  // 8:30 in Sydney.
  clock.set(new Date('2026-07-09T22:30:00Z'));
  await changeReply(app, caller, await insertReply(app, await insertEnrolment(app, await insertCampaign(app))), { label: 'meeting' });
  expect((await dueWebhooks(app, roomFor(200))).map(({ id }) => id)).toContain(body.id);
  expect(await deliverWebhook(app, poster, body.id, new AbortController().signal)).toBe(1);
  await app.db.query(sql`update workspaces set timezone = 'UTC' where id = 1`);
});

it.each([
  [{ health: 'good', previous_health: null, problems: [] }, null],
  [{ health: 'good', previous_health: 'watch', problems: [] }, 'The health of me@example.com is good; it was watch'],
  [
    { health: 'stop', previous_health: null, problems: [{ check: 'spf', detail: 'no SPF record', remedy: 'add a TXT record' }] },
    'The health of me@example.com is stop\nspf: no SPF record; add a TXT record',
  ],
])('a chat is told that the health of an account changed, unless it is good at first: %j', async (change, words) => {
  const { body } = await api.post('/webhooks', { url: url('health'), format: 'discord' });
  const data = { account: { id: 3, email: 'me@example.com', ...change } };
  await app.db.tx((tx) =>
    publish(
      tx,
      sql`select 1 as workspace_id, 'account.health_changed'::text as type, null::bigint as event_id, null::int as campaign_id,
        null::int as contact_id, null::int as account_id, ${JSON.stringify(data)}::jsonb as data, null::text as reply_body,
        ${clock.now()}::timestamptz as at`,
    ),
  );
  const [message] = await app.db.query<StoredMessage>(sql`select type, data from webhook_deliveries where webhook_id = ${body.id}`);
  if (words === null) return expect(message).toBeUndefined();
  expect(JSON.parse(noticeBody(message as StoredMessage, 'discord')).content).toBe(
    `**${words.replace('\n', '**\n')}${words.includes('\n') ? '' : '**'}\n\`outreach account health 3\``,
  );
});

it('says of an account that it has reached its daily limit, and what to run', () => {
  const data = { account: { id: 3, email: 'me@example.com', day: '2026-07-07', daily_limit: 50 } };
  const message = { message_id: 'm', type: 'account.limit_reached', workspace_id: 1, timestamp: '', data, reply_body: null };
  expect(JSON.parse(noticeBody(message, 'discord')).content).toBe(
    '**me@example.com has reached its daily limit of 50 emails**\nEmails that are due wait until its next day.\n`outreach account show 3`',
  );
});

it('the words of strangers are neither links nor mentions, and the notice says what to run', () => {
  const reply = {
    id: 31,
    from: 'a@x.example',
    from_name: 'Ada',
    subject: '<https://evil.example|Click>',
    snippet: '[a](https://e.example) <!channel>',
    label: null,
  };
  const message = {
    message_id: 'm',
    type: 'reply.received',
    workspace_id: 1,
    timestamp: '',
    data: { reply, campaign: { id: 7, name: 'Fair' } },
    reply_body: null,
  };
  const slack = noticeBody(message, 'slack');
  expect(slack).toContain('*Ada (a@x.example) replied to \\"Fair\\"*');
  expect(slack).toContain('&lt;https://evil.example|Click&gt;');
  expect(slack).not.toContain('<!channel>');
  for (const format of ['slack', 'teams', 'discord'] as const) expect(noticeBody(message, format)).toContain('outreach reply show 31');
  expect(noticeBody(message, 'discord')).toContain('\\\\[a\\\\]\\\\(https://e.example\\\\)');
});
