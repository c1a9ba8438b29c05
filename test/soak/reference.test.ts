import { expect, it } from 'vitest';
import { CHROMIUM, startBrowser } from '../support/chromium.ts';
import { named } from '../support/one-of-each.ts';
import { operationsOf } from '../support/openapi.ts';
import { servedInstallation } from '../support/served.ts';

const { url } = await servedInstallation();
const { operations } = await operationsOf(url);

it.skipIf(CHROMIUM === undefined)(
  'GET /docs shows every operation in a browser, also under a name on a network without TLS, and breaks no rule of its policy',
  async () => {
    // Loopback counts as secure; by a name the browser applies the whole policy.
    const browser = await startBrowser(['--host-resolver-rules=MAP outreach.example 127.0.0.1']);
    const page = await browser.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => void (request.url().startsWith('data:') || asked.push(new URL(request.url()).host)));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (entry) => void (/Content Security Policy|Failed to load/.test(entry.text()) && complaints.push(entry.text())));
    const place = new URL(url.replace('127.0.0.1', 'outreach.example'));
    await page.goto(new URL('/docs/', place).href);
    const tags = page.locator('.opblock-tag');
    await tags.first().waitFor({ timeout: 60_000 });
    // Of a long list the page holds only what is seen: one group after the other is opened.
    const shown: string[] = [];
    const blocks = page.locator('.opblock-summary');
    for (let index = 0; index < (await tags.count()); index++) {
      await tags.nth(index).click();
      await blocks.first().waitFor({ timeout: 60_000 });
      const methods = await blocks.locator('.opblock-summary-method').allInnerTexts();
      const paths = await blocks.locator('.opblock-summary-path').allInnerTexts();
      // Paths may break at any of their parts.
      shown.push(...methods.map((method, block) => `${method} ${paths[block]?.replaceAll('\u200B', '')}`));
      await tags.nth(index).click();
      await blocks.first().waitFor({ state: 'detached', timeout: 60_000 });
    }
    expect(shown.toSorted()).toEqual(operations.map(named).toSorted());
    expect(complaints).toEqual([]);
    expect([...new Set(asked)]).toEqual([place.host]);
  },
);
