import { describe, expect, it } from 'vitest';
import { servedInstallation } from '../support/served.ts';

const { url } = await servedInstallation();

/** test/soak/reference.test.ts opens it in a browser. */
describe('GET /docs', () => {
  it('is a browsable reference, served locally without a CDN', async () => {
    const page = await fetch(`${url}/docs`);
    const html = await page.text();
    expect(page.url).toBe(`${url}/docs/`);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    for (const [, file] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const answer = await fetch(new URL(file ?? '', page.url));
      expect(answer.status, file).toBe(200);
      await answer.arrayBuffer();
    }
    expect((await fetch(`${url}/docs/package.json`)).status).toBe(404);
  });
});
