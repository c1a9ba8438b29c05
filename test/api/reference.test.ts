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

describe('GET /api/v1/openapi.json', () => {
  it('is an OpenAPI 3.1 document in which every operation documents its success and its errors', async () => {
    const document = (await (await fetch(`${daemon.url}/api/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { summary?: string; responses: Record<string, unknown> }>>;
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const statuses = Object.keys(operation.responses);
        expect(operation.summary, `${method} ${path}`).toBeTruthy();
        expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining(['400', '401', '404', '500']));
        expect(statuses.filter((status) => status.startsWith('2')).length, `${method} ${path}`).toBeGreaterThan(0);
      }
    }
  });
});
