import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebhookListen from '../../../commands/webhook/listen.ts';
import { startReceiver as listen } from '../../../src/cli/client/webhook-receiver.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { apiClient } from '../../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../../support/database.ts';
import { startReceiver } from '../../support/receiver.ts';
import { runCommand } from '../../support/run-command.ts';
import { waitUntil } from '../../support/wait-until.ts';

let world: TestInstallation;
let daemon: Daemon;
let env: Record<string, string>;
beforeAll(async () => {
  world = await testInstallation({ webhooksAllowPrivate: true });
  daemon = await startDaemon(world.app, { worker: false, databaseUrl: world.databaseUrl });
  env = { OUTREACH_URL: daemon.url ?? '', OUTREACH_API_KEY: world.adminKey };
});
afterAll(() => daemon?.stop());

const api = () => apiClient(daemon.url ?? '', world.adminKey);
const webhooks = async (): Promise<{ id: number; name: string }[]> => (await api().get('/webhooks')).body.data;

describe('outreach webhook listen', () => {
  it('shows and passes on each message with its signature, and removes the webhook when it ends', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(202).end());
    const running = runCommand(WebhookListen, ['--events', 'event.replied', '--forward', `${receiver.url}?token=t`], env);
    const { id } = await waitUntil('the webhook is there', async () => (await webhooks())[0], 60);
    expect((await api().post(`/webhooks/${id}/test`)).body).toMatchObject({ status: 'delivered', response_status: 202 });
    process.emit('SIGTERM');
    const { status, stdout, stderr } = await running;
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^webhook\.test {2}msg_\S+ {2}answered 202 {2}\{.*\}\n$/),
    });
    expect(stderr).toContain(`Webhook ${id} was removed.`);
    expect(await webhooks()).toEqual([]);
    expect(receiver.received[0]?.path).toBe(`${new URL(receiver.url).pathname}?token=t`);
    expect(receiver.received[0]?.headers).toMatchObject({
      'webhook-signature': expect.stringMatching(/^v1,/),
      'webhook-id': expect.any(String),
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'webhook.test' });
  });

  it('removes webhooks of commands that were killed, and no others', async () => {
    const { hostname } = await import('node:os');
    for (const name of [`webhook listen on ${hostname()}, process 999999999`, 'CRM'])
      await api().post('/webhooks', { url: 'http://127.0.0.1:1/', name });
    const running = runCommand(WebhookListen, [], env);
    await waitUntil('the webhook is there', async () => (await webhooks()).find(({ name }) => name.endsWith(String(process.pid))), 60);
    process.emit('SIGINT');
    expect((await running).stderr).toMatch(/^Removed webhook \d+, which a killed command left\.$/m);
    expect((await webhooks()).map(({ name }) => name)).toEqual(['CRM']);
  });

  it('names the setting and the flag that help where the daemon sends to no private addresses', async () => {
    const config = world.app.config as { webhooksAllowPrivate: boolean };
    config.webhooksAllowPrivate = false;
    const { status, stderr } = await runCommand(WebhookListen, [], env).finally(() => {
      config.webhooksAllowPrivate = true;
    });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/webhooks\.allow_private = true .* --address$/m)]);
  });

  it('takes nothing that its secret did not sign', async () => {
    const receiver = await listen(0);
    const seen: string[] = [];
    const post = async (signature: string) => {
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': signature };
      return (await fetch(receiver.url, { method: 'POST', headers, body: '{"type":"event.replied"}' })).status;
    };
    expect(await post('v1,abc')).toBe(503);
    receiver.begin('whsec_c2VjcmV0', async ({ id }) => {
      seen.push(id);
      return 204;
    });
    expect(await post('v1,abc')).toBe(401);
    expect(seen).toEqual([]);
    receiver.close();
  });
});
