import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/api/routers/lazy.ts';
import { processCliOf } from '../support/cli.ts';
import { testInstallation } from '../support/database.ts';
import { insertCampaign } from '../support/rows.ts';

const installation = await testInstallation();

/** Says at its end which files the process has loaded. */
const REPORT = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => writeSync(2, '\\nloaded: ' + JSON.stringify(loaded)));`;

/** The packages that a command of the built program loads: a bundled file names the modules in it. */
async function packagesOf(args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const options = `--import data:text/javascript,${encodeURIComponent(REPORT)}`;
  const { status, stderr } = await processCliOf(installation)(args, { env: { ...env, NODE_OPTIONS: options } });
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('loaded: ') });
  const files = JSON.parse(stderr.split('loaded: ').at(-1) as string) as string[];
  return packagesIn(files.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)));
}

/** The packages of which these files hold modules, or which they are themselves. */
function packagesIn(paths: readonly string[]): string[] {
  const names = paths.flatMap((path) =>
    [...`// ${path}\n${readFileSync(path, 'utf8')}`.matchAll(/^\/\/(?:#region)? .*?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm)].map(
      ([, name]) => name as string,
    ),
  );
  return [...new Set(names)].sort();
}

const CHUNKS = fileURLToPath(new URL('../../dist/chunks', import.meta.url));

/** A file of the built program, and those that its imports bring with it. */
function loadedWith(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^;\n]*?"(\.[^"\n]+)";$/gm))
    loadedWith(join(dirname(path), name), found);
  return found;
}

/** The built file of each resource of the API. */
function resourceFiles(): [name: string, path: string][] {
  const built = globSync(join(CHUNKS, 'lazy-*.js')).map((path) => readFileSync(path, 'utf8'));
  const found = built.flatMap((text) => [...text.matchAll(/^\s+(\w+): lazy\(async \(\) => \(await import\("([^"]+)"\)/gm)]);
  return found.map(([, name = '', file = '']) => [name, join(CHUNKS, file)]);
}

const TERMINAL_SCREENS = ['ink', 'react', 'get-east-asian-width'];
const SERVER = ['express', 'agenda', 'mongodb', '@modelcontextprotocol/server', 'prom-client'];
const DATABASE = ['pg', 'kysely', '@mikro-orm/core', '@mikro-orm/postgresql'];
const MAIL = ['imapflow', 'postal-mime', 'openid-client'];

it('--version loads no package', async () => expect(await packagesOf(['--version'])).toEqual([]));

it('a command of a server loads the command line and the client, and nothing of the database, its schemas, mail or screens', async () => {
  const row = { id: 1, name: 'Spring fair', status: 'draft', account_email: 'zoe@example.com', account_count: 1 };
  const server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify([{ result: { data: { data: [row], pagination: { total: 1 } } } }])),
  ).listen(0);
  const { port } = server.address() as { port: number };
  try {
    const packages = await packagesOf(['campaign', 'list'], { OUTREACH_URL: `http://127.0.0.1:${port}`, OUTREACH_API_KEY: 'key' });
    expect(packages).toEqual(expect.arrayContaining(['@oclif/core', '@trpc/client']));
    for (const name of ['zod', 'nodemailer', ...DATABASE, ...MAIL, ...SERVER, ...TERMINAL_SCREENS]) expect(packages).not.toContain(name);
  } finally {
    server.close();
  }
});

it.each([
  ['campaign list', ['nodemailer', 'html-to-text']],
  ['reply list', ['nodemailer', 'prom-client']],
  ['campaign show 1', ['nodemailer', 'html-to-text']],
  ['status', ['nodemailer', 'html-to-text', 'htmlparser2']],
])('%s on this machine loads pg, and nothing of the daemon, mailboxes or screens', async (command, more) => {
  if (command.endsWith(' 1')) await insertCampaign(installation.app, { id: 1 });
  const packages = await packagesOf(command.split(' '));
  expect(packages).toContain('pg');
  for (const name of ['@mikro-orm/core', ...MAIL, ...SERVER, ...TERMINAL_SCREENS, ...more]) expect(packages).not.toContain(name);
});

/*
 * A command loads the resources that it calls. A list must not pay for what changes its rows: a change that needs a large thing
 * loads it (docs/decisions/commands-are-bundled.md).
 */
describe('a resource of the API', () => {
  const files = resourceFiles();
  /** The largest, the calendar, has 2.0 MB; lists have 1.4, most of it the command line, zod and luxon. */
  const MAX_BYTES = 2_200_000;

  it('is found in the built program, each of them', () => {
    expect(files.map(([name]) => name).sort()).toEqual(Object.keys(resources).sort());
  });

  it.each(files)('%s is loaded without what writes emails, reads mailboxes or runs the daemon', (_, path) => {
    const loaded = [...loadedWith(path)];
    const packages = packagesIn(loaded);
    expect(packages).toContain('zod');
    for (const name of ['nodemailer', 'prom-client', '@mikro-orm/core', ...MAIL, ...SERVER, ...TERMINAL_SCREENS])
      expect(packages).not.toContain(name);
    const bytes = loaded.reduce((sum, file) => sum + readFileSync(file).length, 0);
    expect(bytes, `${loaded.length} files`).toBeLessThan(MAX_BYTES);
  });

  it('transliterates only for an import and a new custom field', () => {
    const withSlugs = files.filter(([, path]) => packagesIn([...loadedWith(path)]).includes('@sindresorhus/slugify'));
    expect(withSlugs.map(([name]) => name)).toEqual(['imports']);
  });
});
