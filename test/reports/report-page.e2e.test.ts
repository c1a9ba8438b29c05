import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportPage } from '../../src/reports/page/report-page.ts';
import { samplePage, sampleReports } from '../cli/reports/sample-report.ts';
import { CHROMIUM, startBrowser } from '../support/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-report-'));
const file = join(folder, 'report.html');
/** A campaign and a domain whose names are markup. */
const HOSTILE = '<script>document.title = "taken"</script><img src="https://evil.example/x.png">';

let browser: Browser;
beforeAll(async () => {
  if (CHROMIUM !== undefined) browser = await startBrowser();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens the page of a campaign with that name. @returns the page, and what it asked of a network */
async function opened(name: string, options: BrowserContextOptions = {}): Promise<{ page: Page; asked: string[] }> {
  const reports = sampleReports();
  for (const row of reports.domain.rows.slice(1, 2)) row.domain = HOSTILE;
  const sample = samplePage(name, reports);
  writeFileSync(file, reportPage(sample).html);
  const page = await browser.newPage(options);
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().startsWith('file:') || asked.push(request.url())));
  await page.goto(pathToFileURL(file).href);
  return { page, asked };
}

describe.runIf(CHROMIUM !== undefined)('the page of a report', () => {
  /** Above it figures stand in tables; below, each has its name. */
  const NARROW = 1_184;

  it.each([
    ['light', 1_280],
    ['dark', 375],
  ] as const)('axe finds nothing to complain about (%s, %i pixels wide)', async (colorScheme, width) => {
    const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const { page } = await opened('Spring fair', { colorScheme, bypassCSP: true, viewport: { width, height: 800 } });
    const found = await page.evaluate(
      `(async () => { ${source}; return (await axe.run()).violations.map(({ id, nodes }) => id + ': ' + nodes[0].failureSummary); })()`,
    );
    expect(found).toEqual([]);
    await page.close();
  });

  it('nothing is wider than the screen', async () => {
    const { page } = await opened('Spring fair');
    for (const width of [1_280, 1_200, 1_100, 375]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      // "At 375 px it scrolls sideways": no table and no picture does, and on a phone each figure has its name.
      const scrolling = '[...document.querySelectorAll(".scroll")].filter((box) => box.scrollWidth > box.clientWidth).length';
      expect(await page.evaluate(scrolling), `${width} pixels wide`).toBe(0);
      const name = 'getComputedStyle(document.querySelector(".figures td"), "::before").content';
      expect(await page.evaluate(name), `${width} pixels wide`).toBe(width < NARROW ? '"sent"' : 'none');
    }
    await page.close();
  });

  it('"words are broken anywhere": the name of a domain or an account stays in one line at 1,280 pixels', async () => {
    const { page } = await opened('Spring fair', { viewport: { width: 1_280, height: 900 } });
    const broken = `[...document.querySelectorAll('th[scope=row]')].filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return cell.textContent.length <= 20 && range.getClientRects().length > 1;
    }).map((cell) => cell.textContent)`;
    expect(await page.evaluate(broken)).toEqual([]);
    await page.close();
  });

  it('needs no network and no script, and takes no name for markup', async () => {
    const { page, asked } = await opened(HOSTILE);
    expect(asked).toEqual([]);
    expect(await page.locator('script, img, link').count()).toBe(0);
    expect(await page.locator('h1').textContent()).toBe(HOSTILE);
    expect(await page.title()).toContain('<script>');
    await page.close();
  });

  it('has a name for each picture, and a table behind it with every row', async () => {
    const { page } = await opened('Spring fair');
    const names = await page
      .getByRole('img')
      .evaluateAll((pictures: { querySelector(name: string): { textContent: string } }[]) =>
        pictures.map((picture) => picture.querySelector('title').textContent),
      );
    expect(names).toEqual([
      ...['Contacts by how far they came', 'Emails by the day on which they were sent', 'Rates of each step', 'Rates of each variant'],
      ...['Rates of each sending account', 'Rates of each email provider', 'Rates of each domain'],
    ]);
    for (const figure of await page.locator('figure').all())
      expect(await figure.locator('xpath=following::table').count()).toBeGreaterThan(0);
    const { domain } = sampleReports();
    expect(await page.locator('table').last().getByRole('row').count()).toBe(1 + domain.rows.length + 1);
    await page.close();
  });

  it('prints on A4, in light colours, with nothing cut off at the right', async () => {
    const { page } = await opened('Spring fair', { colorScheme: 'dark' });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(/\/MediaBox \[0 0 (\d+)[.\d]* (\d+)/.exec(pdf)?.slice(1)).toEqual(['594', '841']);
    await page.emulateMedia({ media: 'print' });
    // The width between the margins, in CSS pixels.
    await page.setViewportSize({ width: Math.floor(((210 - 2 * 14) / 25.4) * 96), height: 1_000 });
    expect(
      await page.evaluate('Math.max(...[...document.querySelectorAll("table")].map((table) => table.scrollWidth))'),
    ).toBeLessThanOrEqual(687);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    // A day stays in one line.
    const lines = `(() => { const range = document.createRange();
      range.selectNodeContents([...document.querySelectorAll('th')].find((cell) => cell.textContent === '2026-03-02'));
      return range.getClientRects().length; })()`;
    expect(await page.evaluate(lines)).toBe(1);
    await page.close();
  });
});
