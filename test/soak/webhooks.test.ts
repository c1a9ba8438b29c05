import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventOf, insertCampaign, insertEnrolment } from '../support/rows.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const EVENTS = 3_000;
const DEAD = 20;

let installation: TestInstallation;
const running = new Set<ChildProcess>();
const directories: string[] = [];

beforeAll(async () => {
  installation = await testInstallation({ webhooksAllowPrivate: true });
  installation.clock.set(new Date());
});

afterAll(async () => {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ended);
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A daemon of its own process, as on a machine of its own: another data directory, the same database and secret. */
async function start(): Promise<ChildProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-webhooks-'));
  directories.push(dataDir);
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: dataDir, OUTREACH_DATA_DIR: dataDir, OUTREACH_SECRET_KEY: TEST_SECRET },
    ...{ DATABASE_URL: installation.databaseUrl, OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true', OUTREACH_LOG_LEVEL: 'error' },
  };
  const child = spawn(process.execPath, [PROGRAM, 'start', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await waitUntil('a daemon is ready', () => printed.includes('ready at'), 60);
  return child;
}

describe('Webhooks of two daemons', () => {
  it('no message is lost when one is killed, what comes twice has one webhook-id, and dead receivers delay nobody', async () => {
    const { app } = installation;
    const receiver = await startReceiver();
    const hanging = await startReceiver();
    hanging.answer(() => undefined);
    const { id, secret } = await createWebhook(app, operator(1), { url: receiver.url, types: ['event.replied'] });
    for (let index = 0; index < DEAD; index++) await createWebhook(app, operator(1), { url: `${hanging.url}/${index}` });
    const who = await insertEnrolment(app, await insertCampaign(app));
    const record = (count: number) =>
      app.db.tx((tx) =>
        recordEvents(
          tx,
          Array.from({ length: count }, () => eventOf(app, who, 'replied')),
        ),
      );
    const daemons = [await start(), await start()];

    for (let round = 0; round < 10; round++) {
      await record(EVENTS / 30);
      await waitUntil('some are delivered', () => receiver.received.length > round * 20, 60);
    }
    // Both are killed in the middle of it: whichever had the webhook's turn had messages in hand.
    await record(EVENTS / 3);
    const before = receiver.received.length;
    await waitUntil('it is in the middle of it', () => receiver.received.length > before + 100, 60);
    for (const daemon of daemons) daemon.kill('SIGKILL');
    await start();
    await record(EVENTS / 3);

    const delivered = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    await waitUntil('all are delivered', () => delivered() === EVENTS, 90);
    await waitUntil(
      'all are settled',
      async () => {
        const open = await app.db.query(sql`select 1 from webhook_deliveries where webhook_id = ${id} and status <> 'delivered' limit 1`);
        return open.length === 0;
      },
      60,
    );
    const verifier = new Verifier(secret);
    const bodies = new Map<string, string>();
    for (const { headers, body } of receiver.received) {
      verifier.verify(body, headers as Record<string, string>);
      const messageId = String(headers['webhook-id']);
      expect(bodies.get(messageId) ?? body).toBe(body);
      bodies.set(messageId, body);
    }
    expect(new Set([...bodies.values()].map((body) => JSON.parse(body).data.event.id)).size).toBe(EVENTS);
    expect(hanging.received.length).toBeGreaterThan(0);
    console.log(`${receiver.received.length - EVENTS} of ${EVENTS} messages came twice`);
  });
});
