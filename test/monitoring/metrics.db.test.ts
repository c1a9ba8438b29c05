import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry, timedJob } from '../../src/core/metrics.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { parseExposition } from '../support/prometheus.ts';
import { eventOf, insertAccount, insertCampaign, insertEnrolment, insertRow } from '../support/rows.ts';

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;

beforeAll(async () => {
  // Other files of this process counted, too.
  registry.resetMetrics();
  installation = await testInstallation({ metricsPort: 0 });
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
});
afterAll(() => daemon?.stop());

const scrape = async (accept = 'text/plain') => fetch(daemon.metricsUrl ?? '', { headers: { Accept: accept } });
const metrics = async () => parseExposition(await (await scrape()).text());

describe('GET /metrics', () => {
  it('is served on an address of its own: not by the API, and nothing else beside it', async () => {
    expect((await fetch(`${daemon.url}/metrics`)).status).toBe(404);
    expect(new URL(daemon.metricsUrl ?? '').port).not.toBe(new URL(daemon.url ?? '').port);
    expect((await fetch(new URL('/api/v1/me', daemon.metricsUrl))).status).toBe(404);
    expect((await fetch(daemon.metricsUrl ?? '', { method: 'POST' })).status).toBe(404);
  });

  // "A daemon with --no-api has no health endpoint": Kubernetes could not probe a worker.
  it('has the health checks beside it, as the API has them', async () => {
    for (const path of ['/healthz', '/readyz'])
      for (const method of ['GET', 'HEAD']) {
        const [ours, theirs] = await Promise.all(
          [daemon.metricsUrl, daemon.url].map((address) => fetch(new URL(path, address), { method })),
        );
        expect([ours?.status, await ours?.text()], path).toEqual([200, await theirs?.text()]);
      }
  });

  it('is well formed and named as Prometheus asks: prefix, base units, _total for counters and for nothing else', async () => {
    const { families } = await metrics();
    const ours = families.filter(({ name }) => name.startsWith('outreach_'));
    expect(ours.length).toBeGreaterThan(12);
    expect(families.filter(({ name }) => !/^(outreach|process|nodejs)_/.test(name))).toEqual([]);
    for (const { name, type, help } of ours) {
      expect(help, name).toMatch(/\S/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name, 'base units').not.toMatch(/milliseconds|minutes|kilobytes|_ms(_|$)/);
    }
    expect(families.map(({ name }) => name)).toContain('process_resident_memory_bytes');
  });

  it('is the text format of Prometheus, whatever else a scraper accepts', async () => {
    const response = await scrape('application/openmetrics-text; version=1.0.0, text/plain; version=0.0.4; q=0.5');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await response.text()).toMatch(/^# TYPE outreach_events_total counter$/m);
  });

  it('times requests by route template and status; an id, a token or an unknown path is no label', async () => {
    await api.get('/contacts/4711');
    await api.get('/contacts');
    await fetch(`${daemon.url}/no/such/page`);
    const { samples } = await metrics();
    const routes = samples.filter(({ name }) => name === 'outreach_http_request_duration_seconds_count');
    expect(routes.find(({ labels }) => labels.route === '/api/v1/contacts/{id}')).toMatchObject({
      labels: { method: 'GET', status: '404' },
      value: 1,
    });
    expect(routes.find(({ labels }) => labels.route === '/api/v1/contacts' && labels.status === '200')?.value).toBe(1);
    expect(routes.map(({ labels }) => labels.route).join()).not.toMatch(/4711|such/);
    expect(routes.some(({ labels }) => labels.route === 'other')).toBe(true);
  });

  it('counts events once they are committed, and not what was rolled back', async () => {
    const { app } = installation;
    const enrolled = await insertEnrolment(app, await insertCampaign(app));
    const sent = async () => (await metrics()).value('outreach_events_total', { type: 'sent' }) ?? 0;
    const before = await sent();
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolled, 'sent'), eventOf(app, enrolled, 'sent')]));
    expect(await sent()).toBe(before + 2);
    const failing = app.db.tx(async (tx) => {
      await recordEvents(tx, [eventOf(app, enrolled, 'sent')]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await sent()).toBe(before + 2);
  });

  it('shows queues, lags and account statuses as they are', async () => {
    const { app, clock } = installation;
    const now = clock.now();
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
    await app.db.query(sql`update accounts set next_batch_at = null`);
    const late = await insertAccount(app, { next_batch_at: ago(90), imap: '{}', next_poll_at: ago(40), last_batch_at: ago(600) });
    await insertAccount(app, { status: 'disconnected', pause_reason: 'provider_error' });
    const campaign = await insertCampaign(app, { account_id: late });
    for (let index = 0; index < 3; index++) await insertEnrolment(app, campaign, { due_at: ago(5) });
    await insertEnrolment(app, campaign, { due_at: new Date(now.getTime() + 60_000) });
    const hook = await insertRow(app, 'webhooks', {
      ...{ workspace_id: 1, name: 'H', url: 'https://example.com', secret: 'sealed', created_at: now, updated_at: now },
    });
    await insertRow(app, 'webhook_deliveries', {
      ...{
        webhook_id: hook,
        message_id: 'm',
        type: 'event.sent',
        status: 'pending',
        next_attempt_at: ago(25),
        created_at: now,
      },
      data: '{}',
    });
    const { value } = await metrics();
    expect(value('outreach_batches_due')).toBe(1);
    expect(value('outreach_batch_lag_seconds')).toBe(90);
    expect(value('outreach_polls_due')).toBe(1);
    expect(value('outreach_poll_lag_seconds')).toBe(40);
    expect(value('outreach_mails_due')).toBe(3);
    expect(value('outreach_webhook_deliveries_due')).toBe(1);
    expect(value('outreach_webhook_lag_seconds')).toBe(25);
    expect(value('outreach_accounts', { status: 'disconnected' })).toBe(1);
    expect(value('outreach_accounts', { status: 'paused' })).toBe(0);
    expect(value('outreach_database_up')).toBe(1);
  });

  it('times jobs, by whether they failed', async () => {
    await timedJob('test job', async () => undefined);
    await expect(timedJob('test job', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const { value } = await metrics();
    expect(value('outreach_job_duration_seconds_count', { job: 'test job', outcome: 'done' })).toBe(1);
    expect(value('outreach_job_duration_seconds_count', { job: 'test job', outcome: 'failed' })).toBe(1);
  });
});
