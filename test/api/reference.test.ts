import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../../src/daemon.ts';
import { testInstallation } from '../support/database.ts';

let daemon: Daemon;

beforeAll(async () => {
  const { app, databaseUrl } = await testInstallation();
  daemon = await startDaemon(app, { worker: false, databaseUrl });
});
afterAll(() => daemon?.stop());

describe('GET /docs', () => {
  it('is a browsable reference, served locally without a CDN', async () => {
    const page = await fetch(`${daemon.url}/docs`);
    const html = await page.text();
    expect(page.url).toBe(`${daemon.url}/docs/`);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    for (const [, file] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const answer = await fetch(new URL(file ?? '', page.url));
      expect(answer.status, file).toBe(200);
      await answer.arrayBuffer();
    }
    expect((await fetch(`${daemon.url}/docs/package.json`)).status).toBe(404);
  });
});
