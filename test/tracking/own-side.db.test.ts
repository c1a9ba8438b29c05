import { expect, it } from 'vitest';
import { audit } from '../../src/access/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { writeHits } from '../../src/tracking/write-hits.ts';
import { sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;

/** Opens the email from an address, as a browser; the types of events. */
async function openedFrom(ip: string): Promise<string[]> {
  const { batch, campaignId } = await startSender(installation, sink);
  await batch();
  const [email] = await app.db.query<{ id: number }>(sql`select id from outbox where campaign_id = ${campaignId}`);
  installation.clock.advance(MINUTE);
  const hit = { kind: 'opened' as const, method: 'GET', userAgent: 'Mozilla/5.0 Firefox/140.0', headers: {}, url: null };
  await writeHits(app, [{ ...hit, outboxId: email?.id ?? 0, ip, at: app.clock.now() }], []);
  const events = await app.db.query<{ type: string }>(
    sql`select type from events where campaign_id = ${campaignId} and in_feed order by id`,
  );
  return events.map(({ type }) => type).filter((type) => type === 'opened');
}

const worksFrom = (ip: string) =>
  app.db.tx((tx) =>
    audit(tx, { ...caller, actor: 'user', ip }, app.clock.now(), { action: 'campaign.update', resourceType: 'campaign', resourceId: 1 }),
  );

it('"from the sender\'s own side": what comes from the address of a member does not count, from anywhere else it does', async () => {
  expect(await openedFrom('198.51.100.7')).toEqual(['opened']);
  await worksFrom('198.51.100.7');
  expect(await openedFrom('198.51.100.7')).toEqual([]);
  expect(await openedFrom('198.51.100.8')).toEqual(['opened']);
});

it('an address of a private network says nothing: behind a reverse proxy, everybody may have it', async () => {
  await worksFrom('192.168.1.4');
  expect(await openedFrom('192.168.1.4')).toEqual(['opened']);
});
