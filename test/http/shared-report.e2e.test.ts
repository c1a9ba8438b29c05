import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { linkPath } from '../../src/tracking/index.ts';
import { CHROMIUM, startBrowser } from '../support/chromium.ts';
import { member } from '../support/people.ts';
import { insertCampaign, insertContact, insertEnrolment, insertMail } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const world = await servedInstallation({ baseUrl: 'https://outreach.example.org' });
const { api, app, clock, url } = world;
let campaign: number;
let mail: number;

beforeAll(async () => {
  campaign = await insertCampaign(app, { name: 'Spring <b>fair</b>' });
  const contact = await insertContact(app, { name: 'Ada', email: 'ada@secret-client.example' });
  mail = await insertMail(app, await insertEnrolment(app, campaign, { contact_id: contact }));
});

const shared = async (body = {}) => (await api.post(`/campaigns/${campaign}/report-links`, body)).body as { id: number; url: string };
const open = (link: string, init: RequestInit = {}) => fetch(link.replace('https://outreach.example.org', url), init);

describe('docs/reports.md: "a link that shows the live report, to whoever has it"', () => {
  it('shows it without a key, names and domains of contacts, to nobody else: not to search engines, nor in a frame', async () => {
    const link = await shared();
    const answer = await open(link.url);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('Spring &lt;b&gt;fair&lt;/b&gt;');
    expect(page).not.toMatch(/secret-client|Ada/);
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page).not.toMatch(/(src|href)="?https?:/);
    const [row] = await app.db.query(sql`select token_hash from report_shares where id = ${link.id}`);
    expect(JSON.stringify(row)).not.toContain(link.url.split('/').at(-1));
  });

  it('guessed, revoked, expired, of a deleted campaign: one page, so that nothing is told', async () => {
    const [revoked, deleted] = [await shared(), await shared()];
    const expiring = await shared({ expires_at: new Date(clock.now().getTime() + 30 * DAY).toISOString() });
    expect(await open(expiring.url)).toMatchObject({ status: 200 });
    clock.advance(30 * DAY);
    expect((await api.delete(`/report-links/${revoked.id}`)).status).toBe(204);
    expect((await api.get('/report-links')).body.data.find(({ id }: { id: number }) => id === revoked.id).revoked_at).not.toBeNull();
    const pages = new Set();
    const shows = async (link: string) => {
      const answer = await open(link);
      expect(answer.status, link).toBe(404);
      pages.add(await answer.text());
    };
    for (const link of [revoked.url, expiring.url, `${deleted.url}x`, `${url}/r/${'a'.repeat(43)}`]) await shows(link);
    await app.db.query(sql`update campaigns set deleted_at = now() where id = ${campaign}`);
    await shows(deleted.url);
    await app.db.query(sql`update campaigns set deleted_at = null where id = ${campaign}`);
    expect(pages.size).toBe(1);
    expect(await api.post(`/campaigns/${campaign}/report-links`, { expires_at: '2020-01-01T00:00:00Z' })).toMatchObject(
      refusal(400, 'invalid_request', 'in the future'),
    );
    const viewer = api.as((await member(app, 'view_only')).key);
    expect(await viewer.post(`/campaigns/${campaign}/report-links`, {})).toMatchObject(refusal(403, 'forbidden'));
  });

  it('is live, and at most a minute old; an address that asks more than 60 times a minute waits', async () => {
    const { url: link } = await shared();
    clock.advance(MINUTE);
    const statuses = [];
    for (let request = 0; request < 61; request++) statuses.push((await open(link)).status);
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses[60]).toBe(429);
    await app.db.query(sql`update campaigns set name = 'Summer fair' where id = ${campaign}`);
    clock.advance(MINUTE);
    expect(await (await open(link)).text()).toContain('Summer fair');
  });
});

it('the page at / says what answers here; the page of an unsubscribe link names who wrote', async () => {
  const landing = await (await fetch(url)).text();
  for (const link of ['/docs', '/llms.txt', '/api/v1/openapi.json']) {
    expect(landing).toContain(`href="${link}"`);
    expect((await fetch(`${url}${link}`)).status).toBe(200);
  }
  await app.db.query(
    sql`update accounts set from_name = 'Zoe <Miller>' where id = (select account_id from campaigns where id = ${campaign})`,
  );
  const [{ email } = { email: '' }] = await app.db.query<{ email: string }>(
    sql`select a.email from accounts a join campaigns c on c.account_id = a.id where c.id = ${campaign}`,
  );
  expect(await (await fetch(url + linkPath(app.sealer, 'u', mail))).text()).toContain(
    `Stop all email from Zoe &lt;Miller&gt; (${email}) to a…@s….example?`,
  );
});

describe.runIf(CHROMIUM !== undefined)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });

  it.each([
    [375, 'light'],
    [1_280, 'dark'],
  ] as const)('axe finds nothing at %i pixels, %s, nothing is wider than the screen, and nothing is asked of others', async (width, colorScheme) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    clock.advance(MINUTE);
    const { url: link } = await shared();
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).origin));
    for (const path of ['/', '/r/guessed', new URL(link).pathname]) {
      await page.goto(url + path);
      const found = await page.evaluate(
        `(async () => { ${axe}; return (await axe.run()).violations.map(({ id, nodes }) => id + ': ' + nodes[0].failureSummary); })()`,
      );
      expect(found, path).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
      expect(new Set(asked), path).toEqual(new Set([url]));
    }
    await page.close();
  });
});
