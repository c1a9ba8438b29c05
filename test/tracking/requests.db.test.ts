import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { campaignStats } from '../../src/campaigns/index.ts';
import { type ManualClock, MINUTE, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { listEvents } from '../../src/events/index.ts';
import { startApi } from '../../src/http/server.ts';
import { trackingRoutes } from '../../src/http/tracking-routes.ts';
import { countHits, HitLog, linkPath } from '../../src/tracking/index.ts';
import { testInstallation } from '../support/database.ts';
import { type Enrolled, insertCampaign, insertEnrolment, insertMail } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

let app: App;
let clock: ManualClock;
let log: HitLog;
let url: string;
const caller = operator(1);

beforeAll(async () => {
  ({ app, clock } = await testInstallation());
  log = new HitLog(app);
  const server = await startApi(app, { problem: async () => undefined }, [trackingRoutes(app, log)]);
  url = server.url;
  afterAll(() => server.close());
});

const BROWSER = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';
const TARGET = 'https://example.org/offer?a=1&b=%7E2#top';

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: { 'user-agent': BROWSER, ...init.headers } });
const path = (kind: 'o' | 'c' | 'u', mail: number, target?: string) => linkPath(app.sealer, kind, mail, target);

/** Somebody who got a mail an hour ago. */
async function sent(values: Record<string, unknown> = {}): Promise<Enrolled & { mail: number }> {
  const who = await insertEnrolment(app, await insertCampaign(app));
  return { ...who, mail: await insertMail(app, who, values) };
}
const logged = async ({ contactId }: Enrolled) =>
  (await listEvents(app.db, caller, { contactId }, { limit: 50, offset: 0 })).data.map(({ type, url: clicked }) =>
    clicked === null ? type : `${type} ${clicked}`,
  );
const counted = async ({ campaignId }: Enrolled) => {
  const { opened, clicked } = await campaignStats(app.db, caller, campaignId);
  return { opened, clicked };
};

describe('The image', () => {
  it('is a transparent picture of one point that nobody keeps, and counts as opened', async () => {
    const who = await sent();
    const answer = await ask(path('o', who.mail));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/gif');
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(answer.headers.get('set-cookie')).toBeNull();
    const picture = Buffer.from(await answer.arrayBuffer());
    expect([picture.toString('latin1', 0, 6), picture.readUInt16LE(6), picture.readUInt16LE(8)]).toEqual(['GIF89a', 1, 1]);
    await log.flush();
    expect(await logged(who)).toEqual(['opened']);
    expect(await counted(who)).toEqual({ opened: 1, clicked: 0 });
  });

  it('is the same for a tampered link, which counts for nobody', async () => {
    const [who, other] = [await sent(), await sent()];
    const forged = path('o', who.mail).replace(`/o/${who.mail.toString(36)}/`, `/o/${other.mail.toString(36)}/`);
    const answer = await ask(forged);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect((await ask('/o/zzzz/AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(200);
    await log.flush();
    expect([await logged(who), await logged(other)]).toEqual([[], []]);
  });

  it('opened again within a minute is one event, later another; the statistics count the contact once', async () => {
    const who = await sent();
    for (const wait of [0, 30 * SECOND, 2 * MINUTE]) {
      clock.advance(wait);
      await Promise.all([ask(path('o', who.mail)), ask(path('o', who.mail))]);
      await log.flush();
    }
    expect(await logged(who)).toEqual(['opened', 'opened']);
    expect(await counted(who)).toEqual({ opened: 1, clicked: 0 });
  });
});

describe('A link', () => {
  it('leads to the very address of the author, byte for byte, and counts as clicked', async () => {
    const who = await sent();
    const answer = await ask(path('c', who.mail, TARGET));
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(TARGET);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    await log.flush();
    expect(await logged(who)).toEqual([`clicked ${TARGET}`]);
    expect(await counted(who)).toEqual({ opened: 0, clicked: 1 });
  });

  it.each([
    ['https://bücher.example/日本?q=ä', 'https://xn--bcher-kva.example/%E6%97%A5%E6%9C%AC?q=%C3%A4'],
    ['https://example.org/a b\n/c', 'https://example.org/a%20b/c'],
  ])('what a header can not hold is written as a URL: %j', async (target, location) => {
    expect((await ask(path('c', (await sent()).mail, target))).headers.get('location')).toBe(location);
  });

  it('is never an open redirect: what is not signed by us for that mail leads nowhere', async () => {
    const [who, other] = [await sent(), await sent()];
    const [, , mail, signature] = path('c', who.mail, TARGET).split('/');
    const evil = Buffer.from('https://evil.example/').toString('base64url');
    const forgeries = [
      `/c/${mail}/${signature}/${evil}`,
      `/c/${other.mail.toString(36)}/${signature}/${Buffer.from(TARGET).toString('base64url')}`,
      `/c/${mail}/${signature}/${Buffer.from(TARGET).toString('base64url')}?url=https://evil.example`.replace(
        signature ?? '',
        'A'.repeat(22),
      ),
      `/c/${mail}/${signature}/https://evil.example`,
      `/c/${mail}/${path('u', who.mail).split('/')[3]}/${evil}`,
      `/c/${mail}//${evil}`,
      `/c/${mail}/${signature}/${'A'.repeat(20_000)}`,
      '/c/%00/%ff/%fe',
    ];
    for (const forged of forgeries) {
      const answer = await ask(forged);
      expect(answer.status, forged.slice(0, 80)).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers.get('location')).toBeNull();
    }
    await log.flush();
    expect(await logged(who)).toEqual([]);
  });

  it('of a mail that never was still leads on, since nobody else could have signed it, and counts for nobody', async () => {
    expect((await ask(path('c', 999_999_999, TARGET))).status).toBe(302);
    await log.flush();
  });
});

describe('Machines', () => {
  it('are answered like people, kept out of events and statistics, and shown with the reason', async () => {
    const who = await sent();
    const asked = [
      [path('o', who.mail), 'Mozilla/5.0', 'GET'],
      [path('o', who.mail), '', 'GET'],
      [path('c', who.mail, TARGET), 'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))', 'GET'],
      [path('c', who.mail, TARGET), BROWSER, 'HEAD'],
    ] as const;
    for (const [link, agent, method] of asked)
      expect((await ask(link, { method, headers: { 'user-agent': agent } })).status).toBe(link.startsWith('/o') ? 200 : 302);
    expect((await ask(path('c', who.mail, TARGET), { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(302);
    await log.flush();
    expect(await logged(who)).toEqual([]);
    expect(await counted(who)).toEqual({ opened: 0, clicked: 0 });
    const shown = (await countHits(app.db, caller, who.campaignId)).map(({ kind, by, hits, contacts }) => [kind, by, hits, contacts]);
    expect(shown).toEqual([
      ['opened', 'Apple mail privacy', 1, 1],
      ['opened', 'no user agent', 1, 1],
      ['clicked', 'method HEAD', 1, 1],
      ['clicked', 'prefetch', 1, 1],
      ['clicked', 'scanner', 1, 1],
    ]);
  });

  it('too soon after the mail was taken is a gateway; the image proxy of Gmail stands for a person', async () => {
    const who = await sent({ accepted_at: clock.now() });
    clock.advance(SECOND);
    await ask(path('o', who.mail));
    await ask(path('c', who.mail, TARGET));
    await log.flush();
    expect(await logged(who)).toEqual([]);
    clock.advance(MINUTE);
    await ask(path('o', who.mail), { headers: { 'user-agent': GMAIL } });
    await log.flush();
    expect(await logged(who)).toEqual(['opened']);
  });

  it('a burst over several links of a mail is a scanner, the same link twice is not, also when it is written in two goes', async () => {
    const [scanned, person] = [await sent(), await sent()];
    await ask(path('c', scanned.mail, 'https://example.org/1'));
    await ask(path('c', scanned.mail, 'https://example.org/2'));
    await log.flush();
    clock.advance(SECOND);
    await ask(path('c', scanned.mail, 'https://example.org/3'));
    await ask(path('c', person.mail, TARGET));
    await ask(path('c', person.mail, TARGET));
    await log.flush();
    expect(await logged(scanned)).toEqual([]);
    expect(await logged(person)).toEqual([`clicked ${TARGET}`]);
    expect((await countHits(app.db, caller, scanned.campaignId)).map(({ by, hits }) => [by, hits])).toEqual([['burst', 3]]);
  });

  it('a hit is written by itself, once a burst that it might have begun is over', async () => {
    const who = await sent();
    await ask(path('c', who.mail, TARGET));
    expect(await waitUntil('the click is written', async () => (await logged(who)).length)).toBe(1);
  });

  it('a flood of one link is neither kept whole nor in the way of others', async () => {
    const [flooded, other] = [await sent(), await sent()];
    for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 100 }, () => ask(path('o', flooded.mail))));
    await ask(path('o', other.mail));
    await log.flush();
    const [row] = await app.db.query<{ hits: number }>(
      sql`select count(*)::int as hits from tracking_hits where outbox_id = ${flooded.mail}`,
    );
    expect(row?.hits).toBeLessThanOrEqual(200);
    expect(await logged(other)).toEqual(['opened']);
  });

  it('addresses of people are kept as networks alone', async () => {
    const rows = await app.db.query<{ ip: string }>(sql`select distinct host(ip) || '/' || masklen(ip) as ip from tracking_hits`);
    expect(rows).toEqual([{ ip: '127.0.0.0/24' }]);
  });
});
