import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import { listEvents } from '../../src/events/index.ts';
import { linkPath } from '../../src/tracking/index.ts';
import { CHROMIUM, startBrowser } from '../support/chromium.ts';
import { type Enrolled, insertCampaign, insertContact, insertEnrolment, insertMail, rowOf } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

let app: App;
let origin: string;
const caller = operator(1);

beforeAll(async () => {
  const installation = await servedInstallation();
  app = installation.app;
  origin = installation.url;
});

let made = 0;
/** Somebody who got a mail, and the link in it. */
async function sent(): Promise<Enrolled & { link: string; email: string }> {
  const email = `reader${++made}@somewhere.example`;
  const who = await insertEnrolment(app, await insertCampaign(app), { contact_id: await insertContact(app, { email }) });
  return { ...who, email, link: origin + linkPath(app.sealer, 'u', await insertMail(app, who)) };
}
const state = async ({ id, contactId, email }: Enrolled & { email: string }) => ({
  status: (await rowOf<{ status: string }>(app, 'enrolments', id)).status,
  suppressed: (await app.db.query(sql`select 1 from suppressions where email = ${email}`)).length,
  events: (await listEvents(app.db, caller, { contactId }, { limit: 9, offset: 0 })).data.map(({ type }) => type),
});
const UNTOUCHED = { status: 'active', suppressed: 0, events: [] };
const LEFT = { status: 'stopped', suppressed: 1, events: ['unsubscribed'] };

describe('Unsubscribing over HTTP', () => {
  it('GET and HEAD change nothing, however often, and keep the address to themselves', async () => {
    const who = await sent();
    for (const method of ['GET', 'GET', 'HEAD']) expect((await fetch(who.link, { method })).status).toBe(200);
    const page = await (await fetch(who.link)).text();
    expect(page).not.toContain(who.email);
    expect(page).toContain('r…@s….example');
    expect(await state(who)).toEqual(UNTOUCHED);
  });

  it("RFC 8058's one-click POST takes effect at once, in every campaign, and twice is once", async () => {
    const who = await sent();
    const elsewhere = await insertEnrolment(app, await insertCampaign(app), { contact_id: who.contactId });
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'List-Unsubscribe=One-Click' };
    expect((await fetch(who.link, form)).status).toBe(200);
    expect(await state(who)).toEqual(LEFT);
    expect((await rowOf<{ status: string }>(app, 'enrolments', elsewhere.id)).status).toBe('stopped');
    expect((await fetch(who.link, form)).status).toBe(200);
    expect(await state(who)).toEqual(LEFT);
  });

  it.each([
    undefined,
    'multipart/form-data; boundary=x',
    'application/json',
    'nonsense',
  ])('a POST with the type %s counts too', async (type) => {
    const who = await sent();
    const headers = type === undefined ? {} : { 'content-type': type };
    expect(
      (await fetch(who.link, { method: 'POST', headers, body: type === undefined ? null : 'List-Unsubscribe=One-Click' })).status,
    ).toBe(200);
    expect(await state(who)).toEqual(LEFT);
  });

  it('a tampered link answers a page that says so, and changes nothing', async () => {
    const [who, other] = [await sent(), await sent()];
    const forged = who.link.replace(/\/u\/[^/]+/, other.link.match(/\/u\/[^/]+/)?.[0] ?? '');
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(forged, { method });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('This link is not complete');
    }
    expect([await state(who), await state(other)]).toEqual([UNTOUCHED, UNTOUCHED]);
  });

  it.each([
    ['de-AT,en;q=0.5', 'de', 'Abmelden'],
    ['fr', 'fr', 'Se désabonner'],
    ['es-MX,es;q=0.9', 'es', 'Darse de baja'],
    ['en', 'en', 'Unsubscribe'],
    ['ja,ko', 'en', 'Unsubscribe'],
    ['*', 'en', 'Unsubscribe'],
    [';;;', 'en', 'Unsubscribe'],
  ])('Accept-Language %s is answered in %s', async (accepted, language, title) => {
    const answer = await fetch((await sent()).link, { headers: { 'accept-language': accepted } });
    const page = await answer.text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`<h1>${title}</h1>`);
  });

  it('asks nothing of other servers, runs no script, and is in no frame', async () => {
    const { headers } = await fetch((await sent()).link);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe|https?:/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('set-cookie')).toBeNull();
  });
});

describe.skipIf(CHROMIUM === undefined)('Unsubscribing in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });

  /** Opens the page of somebody; answers with what it asked of which server. */
  async function open(link: string, options: BrowserContextOptions = {}): Promise<{ page: Page; asked: string[] }> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).origin}`));
    await page.goto(link);
    return { page, asked };
  }

  it('works without JavaScript: opening changed nothing, the button does it and says so', async () => {
    const who = await sent();
    const { page, asked } = await open(who.link, { javaScriptEnabled: false, locale: 'de-DE' });
    expect(await page.title()).toBe('Abmelden');
    expect(await state(who)).toEqual(UNTOUCHED);
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('heading').textContent()).toBe('Sie sind abgemeldet');
    expect(await state(who)).toEqual(LEFT);
    expect(new Set(asked)).toEqual(new Set([`GET ${origin}`, `POST ${origin}`]));
    await page.context().close();
  });

  it('works with the keyboard alone: Tab, a visible focus, Enter', async () => {
    const who = await sent();
    const { page } = await open(who.link);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BUTTON');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    expect(await state(who)).toEqual(LEFT);
    await page.context().close();
  });

  it.each([320, 390])('fits a screen %i points wide, with a button that a thumb hits', async (width) => {
    const { page } = await open((await sent()).link, { viewport: { width, height: 640 }, isMobile: true, hasTouch: true });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const box = await page.getByRole('button').boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)('axe finds nothing to complain about (%s)', async (colorScheme) => {
    const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const who = await sent();
    const { page } = await open(who.link, { colorScheme, bypassCSP: true });
    const problems = () =>
      page.evaluate(
        `(async () => { ${source}; return (await axe.run()).violations.map(({ id, nodes }) => id + ': ' + nodes[0].failureSummary); })()`,
      );
    expect(await problems()).toEqual([]);
    await page.getByRole('button').click();
    await page.getByRole('status').waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });
});
