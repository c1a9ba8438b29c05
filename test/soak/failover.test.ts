import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { operator } from '../../src/access/index.ts';
import { activateCampaign } from '../../src/campaigns/index.ts';
import { loadConfig } from '../../src/core/config.ts';
import { createLogger } from '../../src/core/log.ts';
import { install } from '../../src/main/install.ts';
import { openRuntime, type Runtime } from '../../src/main/runtime.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { blocksOf } from '../support/docs.ts';
import { emailKey, judge, readLedger } from '../support/ledger.ts';
import { missingForPatroni, type PatroniCluster, startPatroniCluster } from '../support/patroni.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

const DAEMONS = 3;
const ACCOUNTS = 30;
const EMAILS_AN_ACCOUNT = 100;
const EMAILS = ACCOUNTS * EMAILS_AN_ACCOUNT;
const caller = operator(1, 1);

if (missingForPatroni.length > 0) console.log(`skipped, not installed: ${missingForPatroni.join(', ')}`);

describe.skipIf(missingForPatroni.length > 0)('docs/scaling.md: a primary and a synchronous standby under Patroni, behind HAProxy', () => {
  let cluster: PatroniCluster;
  let smtp: SmtpSink;
  let runtime: Runtime;
  let folder: string;
  const daemons: DaemonProcess[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outreach-failover-'));
    smtp = await startSmtpSink({ users: { me: 'secret' } });
    const [patroni] = blocksOf('docs/scaling.md', 'yaml');
    const [haproxy] = blocksOf('docs/scaling.md', 'haproxy');
    cluster = await startPatroniCluster(parse(patroni?.text ?? '').bootstrap.dcs, haproxy?.text ?? '');
    const config = loadConfig({ dataDir: folder, databaseUrl: cluster.url, secretKey: TEST_SECRET, logLevel: 'silent' }, {});
    runtime = await openRuntime(config, { log: createLogger('silent') });
    await install(runtime.app);
  }, 180_000);
  afterAll(async () => {
    await Promise.all(daemons.map((daemon) => daemon.end('SIGTERM')));
    await runtime?.close();
    await smtp?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the primary is killed while three daemons send: sending goes on within 30 s, 0 doubled, 0 lost', async () => {
    const { app } = runtime;
    const campaigns: number[] = [];
    for (let index = 0; index < ACCOUNTS; index++) {
      const account = { email: `a${index}@example.com`, smtpUrl: `smtp://me@127.0.0.1:${smtp.port}`, password: 'secret' };
      const id = await connectBulkAccount(app, caller, { ...account, batch: EMAILS_AN_ACCOUNT });
      campaigns.push(await bulkCampaign(app, caller, `c${index}`, id, EMAILS_AN_ACCOUNT));
    }
    for (let index = 0; index < DAEMONS; index++)
      daemons.push(await startDaemonProcess({ databaseUrl: cluster.url, home: join(folder, `daemon-${index}`) }));
    // One batch begins every second, so that some are due whenever the new primary is there.
    const first = Date.now() + 3_000;
    for (const [index, id] of campaigns.entries()) await activateCampaign(app, caller, id, new Date(first + index * 1_000));
    await smtp.waitFor(EMAILS_AN_ACCOUNT * 3);

    const killed = await cluster.killPrimary();
    const killedAt = performance.now();
    const seconds = () => (performance.now() - killedAt) / 1_000;
    const promoted = await waitUntil('the standby is promoted', async () => [await cluster.primary()].find((name) => name !== killed), 60);
    const promotedAfter = seconds();
    // What had its permit before may still arrive; more than that was permitted by the new primary.
    await smtp.waitFor(smtp.messages.length + ACCOUNTS + 1, 120);
    const goesOnAfter = seconds();
    await waitUntil('every email is settled', async () => (await settled(app)) === EMAILS, 240);

    const copies = smtp.messages.map(({ to }) => emailKey(to[0] ?? '', 1));
    const verdict = judge(copies, await readLedger(app));
    console.log(
      `${EMAILS} emails; server ${promoted} was promoted after ${promotedAfter.toFixed(1)} s, sending went on after ${goesOnAfter.toFixed(1)} s:`,
      JSON.stringify(verdict),
    );
    expect(verdict).toMatchObject({ doubled: [], lost: [], unexplained: [], open: [] });
    expect(verdict.sent + verdict.unknown).toBe(EMAILS);
    expect(goesOnAfter).toBeLessThan(30);
    for (const daemon of daemons) expect(daemon.child.exitCode, daemon.logged()).toBeNull();
  }, 300_000);
});

/** Emails whose fate is known, or known to be unknown; undefined while the database can't be asked. */
async function settled(app: Runtime['app']): Promise<number | undefined> {
  await wait(200);
  const ledger = await readLedger(app).catch(() => undefined);
  return ledger?.filter(({ state }) => state === 'accepted' || state === 'unknown').length;
}
