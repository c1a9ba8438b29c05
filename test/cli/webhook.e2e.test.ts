import { beforeAll, describe, expect, it } from 'vitest';
import { type Cli, cliOf, refuse, succeed } from '../support/cli.ts';
import { testInstallation } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';

let cli: Cli;

beforeAll(async () => {
  const installation = await testInstallation();
  const plain = cliOf(installation);
  cli = (args, options) => plain(args, { ...options, env: { OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true', ...options?.env } });
});

describe('outreach webhook', () => {
  it('add, test, deliveries and replay work together; the secret is in the first answer alone', async () => {
    const receiver = await startReceiver();
    const made = await succeed(cli, 'webhook', 'add', receiver.url, '--events', 'event.replied, event.sent', '--name', 'CRM');
    expect(made).toMatchObject({ name: 'CRM', types: ['event.replied', 'event.sent'], secret: expect.stringMatching(/^whsec_/) });
    const id = String(made.id);
    expect(await succeed(cli, 'webhook', 'test', id)).toMatchObject({ type: 'webhook.test', status: 'delivered', response_status: 204 });
    const [delivery] = (await succeed(cli, 'webhook', 'deliveries', id, '--status', 'delivered')).data;
    expect(await succeed(cli, 'webhook', 'replay', String(delivery.id))).toMatchObject({ id: delivery.id, status: 'pending' });
    expect(await succeed(cli, 'webhook', 'disable', id)).not.toHaveProperty('secret');
    expect(await refuse(cli, 1, 'webhook', 'replay', String(delivery.id))).toContain('the webhook is disabled');
  });

  it('a test that is not delivered exits 1 and says why', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(500).end());
    const { id } = await succeed(cli, 'webhook', 'add', receiver.url);
    const answer = await cli(['webhook', 'test', String(id)]);
    expect(answer).toMatchObject({ status: 1, stdout: 'Not delivered: answered 500\n' });
  });

  it('refuses what can not be in one line', async () => {
    expect(await refuse(cli, 2, 'webhook', 'add', 'ftp://example.com')).toContain('url: must start with https://');
    expect(await refuse(cli, 2, 'webhook', 'add', 'https://example.com', '--events', 'event.sold')).toContain('unknown type "event.sold"');
    expect(await refuse(cli, 2, 'webhook', 'add', 'https://example.com', '--name', '')).toContain('--name: must not be empty');
    expect(await refuse(cli, 1, 'webhook', 'show', '99')).toContain('webhook 99 not found');
    const strict = await cli(['webhook', 'add', 'https://127.0.0.1/'], { env: { OUTREACH_WEBHOOKS_ALLOW_PRIVATE: '' } });
    expect(strict).toMatchObject({ status: 2, stderr: expect.stringContaining('webhooks.allow_private') });
  });
});
