import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { sql } from '../../src/db/statement.ts';
import { blocksOf, pageText } from '../support/docs.ts';
import { servedInstallation } from '../support/served.ts';
import { askThrough, isInstalled, startWebServer, type WebServer } from '../support/web-proxy.ts';

const OURS = 'outreach.example.com';
const LINKS = 'links.example.com';
const [settings] = blocksOf('docs/reverse-proxy.md', 'toml');
const trusted = /trusted_proxies = "([^"]+)"/.exec(settings?.text ?? '')?.[1] ?? '';
const CONFIGURATIONS: Record<WebServer, string> = {
  nginx: blocksOf('docs/reverse-proxy.md', 'nginx')[0]?.text ?? '',
  caddy: blocksOf('docs/reverse-proxy.md', 'caddyfile')[0]?.text ?? '',
};

const { app, url, adminKey } = await servedInstallation({ trustedProxies: trusted });
const authorization = `Bearer ${adminKey}`;

/** Paths of the page's table whose last cell begins with that. */
const paths = (isPublic: boolean) =>
  [...pageText('docs/reverse-proxy.md').matchAll(/^\| (`\/.*?) \|.*\| (.*?) \|$/gm)]
    .filter(([, , answer = '']) => isPublic !== answer.startsWith('no'))
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path));

it('the settings of the page are settings', () => {
  const { publicUrl, trustedProxies } = loadConfig(
    { dataDir: '/nonexistent', baseUrl: /base_url = "([^"]+)"/.exec(settings?.text ?? '')?.[1], trustedProxies: trusted },
    {},
  );
  expect({ publicUrl, trustedProxies }).toEqual({ publicUrl: `https://${OURS}`, trustedProxies: '127.0.0.1' });
});

describe.each(['nginx', 'caddy'] as const)('docs/reverse-proxy.md: %s', (server) => {
  if (!isInstalled(server)) console.warn(`${server} is not installed: its configuration is not tested`);
  let port: number;
  beforeAll(async () => {
    if (isInstalled(server)) port = await startWebServer(server, CONFIGURATIONS[server].replaceAll('127.0.0.1:8025', new URL(url).host));
  });
  /** The daemon gives every answer an id. */
  const reaches = async (host: string, path: string) => 'x-request-id' in (await askThrough(port, { host, path })).headers;

  it.runIf(isInstalled(server))('passes on the paths that the page calls public, and no others', async () => {
    expect(paths(true)).toEqual(['/o/', '/c/', '/u/', '/invite/', '/r/', '/api/v1/', '/trpc/', '/docs/', '/llms.txt']);
    for (const path of paths(true)) expect([path, await reaches(OURS, path.endsWith('/') ? `${path}0/0` : path)]).toEqual([path, true]);
    for (const path of [...paths(false), '/', '/metrics', '/original', '/apiary', '/trpc-panel'])
      expect([path, await reaches(OURS, path)]).toEqual([path, false]);
    expect((await askThrough(port, { host: OURS, path: '/healthz' })).status).toBe(404);
  });

  it.runIf(isInstalled(server))("an account's own host has links alone, and doctor's image", async () => {
    for (const path of ['/o/0/0', '/c/0/0/0', '/u/0/0']) expect([path, await reaches(LINKS, path)]).toEqual([path, true]);
    for (const path of ['/api/v1/me', '/docs/', '/trpc/live.watch', '/invite/0'])
      expect([path, await reaches(LINKS, path)]).toEqual([path, false]);
    expect(await askThrough(port, { host: LINKS, path: '/o/0/0' })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/gif' },
    });
  });

  it.runIf(isInstalled(server))("the client's address is that of its connection, whatever it claims", async () => {
    const headers = { authorization, 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' };
    const body = JSON.stringify({ email: `${server}@example.org` });
    expect((await askThrough(port, { host: OURS, path: '/api/v1/contacts', method: 'POST', headers, body })).status).toBe(201);
    const [entry] = await app.db.query<{ ip: string }>(sql`select host(ip) as ip from audit_log order by id desc limit 1`);
    expect(entry).toEqual({ ip: '127.0.0.9' });
  });

  it.runIf(isInstalled(server))('a stream comes as it is written', async () => {
    const isEnough = (body: string) => body.includes('data:');
    const answer = await askThrough(port, { host: OURS, path: '/trpc/live.watch?input={}', headers: { authorization }, isEnough });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/event-stream') } });
  });

  it.runIf(isInstalled(server))('the daemon, not the proxy, refuses what is too large', async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'x'.repeat(6 * 2 ** 20) });
    // Several: a refusal could be lost with a connection that the daemon closes before it has read the body.
    for (let attempt = 0; attempt < 20; attempt++) {
      const answer = await askThrough(port, { host: OURS, path: '/api/v1/contacts', method: 'POST', headers, body });
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'invalid_request' } });
    }
  });
});
