import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { changeReply } from '../../src/replies/index.ts';
import { noticeBody } from '../../src/webhooks/notice.ts';
import { afterFile } from '../support/after-file.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

const { api, app, caller } = await servedInstallation({ webhooksAllowPrivate: true });
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
    expect(body).toMatchObject({ format, types: ['reply.received', 'reply.labelled', 'account.paused', 'campaign.completed'] });
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
