import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeStep, listSteps } from '../../src/campaigns/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { type HostileSmtp, startHostileSmtp } from '../support/hostile/smtp.ts';
import { batchesOf, enrolmentsOf, startSender } from '../support/sender.ts';

let installation: TestInstallation;
let server: HostileSmtp;

beforeAll(async () => {
  installation = await testInstallation();
});
beforeEach(() => installation.clock.set(TEST_START));
afterEach(() => server?.close());

/** Starts a server that calls `beforeFirst` before it accepts its first email. */
async function serverWith(beforeFirst: () => unknown): Promise<HostileSmtp> {
  let isFirst = true;
  server = await startHostileSmtp({
    dot: async (socket) => {
      if (isFirst) {
        isFirst = false;
        await beforeFirst();
      }
      socket.write('250 2.0.0 queued\r\n');
    },
  });
  return server;
}

const people = (name: string) => [0, 1, 2].map((index) => ({ email: `${name}-${index}@example.org` }));

describe('a batch with random gaps between its emails', () => {
  it('prepares each email when its turn comes: with the text, the date and the contacts of that time', async () => {
    const { app, caller, clock } = installation;
    const sink = await serverWith(async () => {
      const [step] = await listSteps(app.db, caller, sender.campaignId);
      await changeStep(app, caller, sender.campaignId, step?.id ?? 0, { body_html: '<p>The second text</p>' });
      clock.advance(20 * MINUTE);
    });
    const sender = await startSender(installation, sink, {
      account: { gap_min_seconds: 1, gap_max_seconds: 1 },
      steps: [{ body_html: '<p>The first text</p>' }],
      contacts: people('fresh').slice(0, 2),
    });
    expect(await sender.batch()).toEqual({ sent: 2, other: 0 });
    const [one = '', two = ''] = server.messages;
    expect([one.includes('The first text'), two.includes('The second text')]).toEqual([true, true]);
    expect([/^Date: (.*)$/m.exec(one)?.[1], /^Date: (.*)$/m.exec(two)?.[1]]).toEqual([
      'Tue, 07 Jul 2026 12:00:00 +0000',
      'Tue, 07 Jul 2026 12:20:00 +0000',
    ]);
  });

  it('claims only the next email, so that no claim expires before its turn', async () => {
    let claimed: number[] = [];
    const sink = await serverWith(async () => {
      const rows = await installation.app.db.query<{ id: number }>(sql`select id from outbox where campaign_id = ${sender.campaignId}`);
      claimed = rows.map(({ id }) => id);
    });
    const sender = await startSender(installation, sink, {
      account: { gap_min_seconds: 0, gap_max_seconds: 1 },
      contacts: people('claim'),
    });
    expect((await sender.batch()).sent).toBe(3);
    expect(claimed).toHaveLength(1);
  });

  it('ends when the daemon drains, however long the gap is; unsent emails are due', async () => {
    const draining = new AbortController();
    const sink = await serverWith(() => setImmediate(() => draining.abort()));
    const sender = await startSender(installation, sink, {
      account: { gap_min_seconds: 3_600, gap_max_seconds: 3_600 },
      contacts: people('drain'),
    });
    expect((await batchesOf(installation.app).run(sender.accountId, draining.signal)).sent).toBe(1);
    expect(server.messages).toHaveLength(1);
    const rows = await enrolmentsOf(installation, sender.campaignId);
    expect(rows.filter(({ status, due_at }) => status === 'active' && due_at !== null)).toHaveLength(2);
  });
});
