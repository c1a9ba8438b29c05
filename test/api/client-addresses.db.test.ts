import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import { startApi } from '../../src/http/server.ts';
import { trackingRoutes } from '../../src/http/tracking-routes.ts';
import { HitLog, linkPath } from '../../src/tracking/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertCampaign, insertEnrolment, insertMail } from '../support/rows.ts';

/** Proxies may write other values than addresses into X-Forwarded-For (RFC 7239 §6): such requests must not be refused or lost. */

let installation: TestInstallation;
let app: App;
let log: HitLog;
let url: string;

beforeAll(async () => {
  installation = await testInstallation({ trustedProxies: '127.0.0.1,::1,10.0.0.0/8' });
  ({ app } = installation);
  log = new HitLog(app);
  const server = await startApi(app, { problem: async () => undefined }, [trackingRoutes(app, log)]);
  url = server.url;
  afterAll(() => server.close());
});

const FORWARDED: readonly (readonly [string, string | null])[] = [
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:5678', '203.0.113.9'],
  ['unknown', null],
  ['999.1.1.1', null],
  ['fe80::1%eth0', 'fe80::1'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['198.51.100.1, 203.0.113.9:5678, 10.0.0.2:443', '203.0.113.9'],
];

describe('X-Forwarded-For of a trusted proxy', () => {
  it.each(FORWARDED)('%s: a change succeeds, and its audit entry has the address or none', async (forwarded, expected) => {
    const answer = await fetch(`${url}/api/v1/lists`, {
      method: 'POST',
      headers: { authorization: `Bearer ${installation.adminKey}`, 'content-type': 'application/json', 'x-forwarded-for': forwarded },
      body: JSON.stringify({ name: forwarded }),
    });
    expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining('"id"')]);
    expect(await app.db.query(sql`select host(ip) as ip from audit_log order by id desc limit 1`)).toEqual([{ ip: expected }]);
  });

  it('one that is no address loses no hit of its group', async () => {
    const mail = await insertMail(app, await insertEnrolment(app, await insertCampaign(app)));
    const path = linkPath(app.sealer, 'o', mail);
    for (const [forwarded] of FORWARDED)
      await fetch(`${url}${path}`, { headers: { 'x-forwarded-for': forwarded, 'user-agent': 'Safari' } });
    await log.flush();
    const rows = await app.db.query<{ ip: string | null }>(sql`select ip::text from tracking_hits where outbox_id = ${mail} order by id`);
    expect(rows.map(({ ip }) => ip)).toEqual([
      ...['203.0.113.0/24', '203.0.113.0/24', null, null, 'fe80::/48', '2001:db8::/48', '203.0.113.0/24'],
    ]);
  });

  it('unsubscribing succeeds by way of it too', async () => {
    for (const [forwarded] of FORWARDED) {
      const mail = await insertMail(app, await insertEnrolment(app, await insertCampaign(app)));
      const answer = await fetch(`${url}${linkPath(app.sealer, 'u', mail)}`, { method: 'POST', headers: { 'x-forwarded-for': forwarded } });
      expect(answer.status, forwarded).toBe(200);
    }
  });
});
