import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generateKey } from '../../src/access/key-text.ts';
import { EVENT_TYPES } from '../../src/core/event-types.ts';
import { createLogger } from '../../src/core/log.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { readMetrics } from '../../src/monitoring/gauges.ts';
import { testInstallation } from '../support/database.ts';
import { blocksOf, pageText, ROOT } from '../support/docs.ts';
import { parseExposition } from '../support/prometheus.ts';
import { insertAccount } from '../support/rows.ts';

const promtool = process.env.PROMTOOL ?? 'promtool';
const hasPromtool = spawnSync(promtool, ['--version']).status === 0;
if (!hasPromtool) console.warn('promtool is missing: alerts and expressions of the dashboard are not tried');
const prom = (args: string[], input?: string) => spawnSync(promtool, args, { encoding: 'utf8', input, cwd: join(ROOT, 'test/monitoring') });

const lines: string[] = [];
const installation = await testInstallation({ metricsPort: 0, accessLog: true });
Object.assign(installation.app, { log: createLogger('info', { write: (text) => void lines.push(text) }) });
const folder = mkdtempSync(join(tmpdir(), 'outreach-rules-'));
let daemon: Daemon;
const scrape = async () => (await fetch(daemon.metricsUrl ?? '')).text();

beforeAll(async () => {
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl, version: '1.2.3+abcdef01' });
});
afterAll(async () => {
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Dashboard {
  uid: string;
  schemaVersion: number;
  panels: { id: number; type: string; title: string; gridPos: { x: number; w: number }; targets: { expr: string; refId: string }[] }[];
  templating: { list: { name: string; type: string }[] };
}
const dashboard = JSON.parse(pageText('docs/monitoring/dashboard.json')) as Dashboard;
const alerts = parse(pageText('docs/monitoring/alerts.yaml')) as {
  groups: { rules: { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> }[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);

it('alerts and dashboard name metrics that there are, and every alert has a severity, a summary and what to do', async () => {
  const { families } = parseExposition(await scrape());
  const names = families.map(({ name }) => name);
  const expressions = [...rules.map(({ expr }) => expr), ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  for (const expr of expressions)
    for (const [name] of expr.matchAll(/(outreach|process)_\w+/g)) expect(names, expr).toContain(name.replace(/_(count|bucket)$/, ''));
  for (const { alert, labels, annotations } of rules) {
    expect(labels.severity, alert).toMatch(/^(page|ticket)$/);
    expect(Object.keys(annotations), alert).toEqual(['summary', 'description']);
  }
});

// "docs/monitoring/dashboard.json lists event types by hand": one that is renamed would vanish from its panel, and from the alert.
it('the events that alerts and dashboard count are types of events', () => {
  const expressions = [...rules.map(({ expr }) => expr), ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  const counted = expressions.flatMap((expr) =>
    [...expr.matchAll(/outreach_events_total\{type=~?"([^"]+)"/g)].flatMap(([, types]) => types?.split('|')),
  );
  expect(counted.length).toBeGreaterThan(5);
  expect(EVENT_TYPES).toEqual(expect.arrayContaining(counted));
});

it('the dashboard is one that Grafana imports: a data source to choose, panels with ids and queries of their own, in 24 columns', () => {
  expect(dashboard.templating.list).toEqual([expect.objectContaining({ name: 'datasource', type: 'datasource' })]);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  for (const { title, type, gridPos, targets } of dashboard.panels) {
    expect(['stat', 'timeseries'], title).toContain(type);
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
  }
});

it.runIf(hasPromtool)('promtool: the metrics, the alerts with their tests, and the expressions of the dashboard', async () => {
  const checked = prom(['check', 'metrics'], await scrape());
  expect(checked.status, checked.stderr).toBe(0);
  const tested = prom(['test', 'rules', 'alerts.test.yaml']);
  expect(tested.status, tested.stdout + tested.stderr).toBe(0);
  const path = join(folder, 'dashboard.yaml');
  const recorded = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
  writeFileSync(
    path,
    JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded.map((expr, at) => ({ record: `panel:${at}`, expr })) }] }),
  );
  const parsed = prom(['check', 'rules', path]);
  expect(parsed.status, parsed.stdout + parsed.stderr).toBe(0);
});

// "The metric has outreach_accounts{status="paused"} 1, the same as a pause by hand", and "counters are not initialised".
it('a refused login is told from a pause by hand, and counters begin at 0', async () => {
  await insertAccount(installation.app, { status: 'paused', pause_reason: 'provider_error' });
  const { value } = parseExposition(await scrape());
  expect(value('outreach_accounts', { status: 'paused', reason: 'provider_error' })).toBe(1);
  expect(value('outreach_accounts', { status: 'paused', reason: 'manual' })).toBe(0);
  expect(value('outreach_build_info', { version: '1.2.3+abcdef01' })).toBe(1);
  // Other files of tests, whose process this one shares, may have connected.
  expect(value('outreach_smtp_duration_seconds_count', { phase: 'connect' })).toBeGreaterThanOrEqual(0);
});

// "/metrics with a silent database took 10.007 s = Prometheus' default scrape_timeout. Gauges keep their last values."
it('with a silent database the gauges are absent after a while, and all else is there', async () => {
  const { app } = installation;
  const taken = await Promise.all(Array.from({ length: 10 }, () => app.db.pool.connect()));
  try {
    const { value } = parseExposition(await readMetrics(app, 0.1));
    expect(value('outreach_database_up')).toBe(0);
    for (const name of ['outreach_accounts', 'outreach_batch_lag_seconds', 'outreach_mails_due']) expect(value(name), name).toBeUndefined();
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(0);
  } finally {
    for (const client of taken) client.release();
  }
});

it('what docs/operating.md gives to Prometheus and fail2ban names the files and the service that there are', () => {
  const [scraped] = blocksOf('docs/operating.md', 'yaml');
  expect(parse(scraped?.text ?? '')).toMatchObject({ rule_files: ['alerts.yaml'], scrape_configs: [{ job_name: 'outreach' }] });
  const [jail] = blocksOf('docs/operating.md', 'ini');
  for (const line of ['[outreach]', 'enabled = true', 'journalmatch = _SYSTEMD_UNIT=outreach.service'])
    expect(jail?.text.split('\n')).toContain(line);
});

// "No access log at any level, and 401s are in no log: no fail2ban, no way to find who was refused."
it('each request has a line in the access log, and one without a valid key a line that the filter of fail2ban reads', async () => {
  lines.length = 0;
  const keys = { 'no key': undefined, 'malformed key': 'nonsense', 'unknown or revoked key': generateKey() };
  for (const key of Object.values(keys))
    await fetch(`${daemon.url}/api/v1/contacts/5`, key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } });
  const logged = lines.map((line) => JSON.parse(line));
  const refused = logged.filter(({ msg }) => msg === 'authentication failed');
  expect(refused.map(({ reason, ip }) => [reason, ip])).toEqual(Object.keys(keys).map((reason) => [reason, '127.0.0.1']));
  const access = { ip: '127.0.0.1', method: 'GET', route: '/api/v1/contacts/{id}', status: 401, request_id: expect.any(String) };
  expect(logged.filter(({ msg }) => msg === 'request')[0]).toMatchObject(access);
  const [, failregex = '', text = ''] = /^failregex = (.*)\n +(.*)$/m.exec(pageText('docs/monitoring/fail2ban-filter.conf')) ?? [];
  const asRegex = (pattern: string) => new RegExp(pattern.replaceAll('<ADDR>', '([0-9a-f.:]+)'));
  const [line = ''] = lines.filter((each) => each.includes('authentication failed'));
  expect(asRegex(failregex).exec(line)?.[1]).toBe('127.0.0.1');
  const written: string[] = [];
  createLogger('info', { write: (each) => void written.push(each) }, 'text').info({ ip: '::1', reason: 'no key' }, 'authentication failed');
  expect(asRegex(text).exec(written[0] ?? '')?.[1]).toBe('::1');
});
