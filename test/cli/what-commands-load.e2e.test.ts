import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../src/api/routers/lazy.ts';
import { processCliOf } from '../support/cli.ts';
import { testInstallation } from '../support/database.ts';
import {
  insertAccount,
  insertCampaign,
  insertContact,
  insertList,
  insertLoggedEnrolment,
  insertReply,
  joinInGroup,
} from '../support/rows.ts';

const installation = await testInstallation();
await insertAccount(installation.app, { id: 1 });
for (const id of [1, 2]) await insertCampaign(installation.app, { id, account_id: 1 });

/** Reports the loaded files when the process exits. */
const REPORT = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => writeSync(2, '\\nloaded: ' + JSON.stringify(loaded)));`;

/** Returns the URLs of the files, and of Node's own modules, that a command of the built program loads. */
async function loadedBy(args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const options = `--import data:text/javascript,${encodeURIComponent(REPORT)}`;
  const { status, stderr } = await processCliOf(installation)(args, { env: { ...env, NODE_OPTIONS: options } });
  // Status 1: a check has found a problem.
  expect({ status, stderr }).toMatchObject({ status: args.includes('check') ? 1 : 0, stderr: expect.stringContaining('loaded: ') });
  return JSON.parse(stderr.split('loaded: ').at(-1) as string);
}

/** Returns the packages that a command has loaded: a bundled file names the modules in it. */
const packagesOf = (loaded: readonly string[]): string[] =>
  packagesIn(loaded.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)));

const KNOWN = new Map<string, { text: string; packages: string[]; imports: string[] }>();

/** Reads a file of the program: its text, the packages that it is part of or bundles, and the files that it imports. */
function fileAt(path: string) {
  const known = KNOWN.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  const captures = (searched: string, pattern: RegExp) => [...searched.matchAll(pattern)].map(([, name = '']) => name);
  const file = {
    text,
    packages: captures(`// ${path}\n${text}`, /^\/\/(?:#region)? .*?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm),
    imports: captures(text, /^(?:import|export)\b[^;\n]*?"(\.[^"\n]+)";$/gm).map((name) => join(dirname(path), name)),
  };
  KNOWN.set(path, file);
  return file;
}

/** Returns the packages that these files are part of or bundle. */
const packagesIn = (paths: readonly string[]): string[] => [...new Set(paths.flatMap((path) => fileAt(path).packages))].sort();

const CHUNKS = fileURLToPath(new URL('../../dist/chunks', import.meta.url));

/** Returns a file of the built program and all files that it imports, directly or indirectly. */
function loadedWith(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const imported of fileAt(path).imports) loadedWith(imported, found);
  return found;
}

/** Returns the built file of each resource of the API. */
function resourceFiles(): [name: string, path: string][] {
  const built = globSync(join(CHUNKS, 'lazy-*.js')).map((path) => readFileSync(path, 'utf8'));
  const found = built.flatMap((text) => [...text.matchAll(/^\s+(\w+): lazy\(async \(\) => \(await import\("([^"]+)"\)/gm)]);
  return found.map(([, name = '', file = '']) => [name, join(CHUNKS, file)]);
}

const TERMINAL_SCREENS = ['ink', 'react', 'get-east-asian-width'];
const SERVER = ['express', 'agenda', 'mongodb', '@modelcontextprotocol/server', 'prom-client'];
const DATABASE = ['pg', 'kysely', '@mikro-orm/core', '@mikro-orm/postgresql'];
/** Packages that only changes need: MikroORM, metrics of jobs and events, and the list of mailbox providers. */
const CHANGES = ['@mikro-orm/core', 'prom-client', 'email-providers'];
const MAIL = ['imapflow', 'postal-mime', 'openid-client'];

it('--version loads no package', async () => expect(packagesOf(await loadedBy(['--version']))).toEqual([]));

it('a command of a server loads the command line and the client, and nothing of the database, its schemas, mail or screens', async () => {
  const row = { id: 1, name: 'Spring fair', status: 'draft', account_email: 'zoe@example.com', account_count: 1 };
  const server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify([{ result: { data: { data: [row], pagination: { total: 1 } } } }])),
  ).listen(0);
  const { port } = server.address() as { port: number };
  try {
    const loaded = await loadedBy(['campaign', 'list'], { OUTREACH_URL: `http://127.0.0.1:${port}`, OUTREACH_API_KEY: 'key' });
    const packages = packagesOf(loaded);
    expect(packages).toEqual(expect.arrayContaining(['@oclif/core', '@trpc/client']));
    for (const name of ['zod', 'nodemailer', ...DATABASE, ...MAIL, ...SERVER, ...TERMINAL_SCREENS]) expect(packages).not.toContain(name);
  } finally {
    server.close();
  }
});

describe('a command that only reads, on this machine', () => {
  let ids: Record<'contact' | 'reply', number>;
  beforeAll(async () => {
    const { app } = installation;
    await joinInGroup(app, [2]);
    const enrolment = await insertLoggedEnrolment(app, 1, { due_at: app.clock.now() });
    ids = { contact: enrolment.contactId, reply: await insertReply(app, enrolment) };
  });

  it.each([
    ['campaign list', ['html-to-text']],
    ['reply list', ['html-to-text']],
    ['campaign show 1', ['html-to-text', 'htmlparser2']],
    ['campaign explain 1', ['html-to-text', 'htmlparser2']],
    ['campaign forecast 1', ['html-to-text', 'htmlparser2']],
    ['campaign check 1', ['html-to-text']],
    ['campaign preview 1 --contact CONTACT', []],
    ['rotation show 2', ['html-to-text', 'htmlparser2']],
    ['account show 1', ['html-to-text', 'htmlparser2']],
    ['contact show CONTACT', ['html-to-text']],
    ['reply show REPLY', []],
    ['calendar', ['html-to-text', 'htmlparser2']],
    ['status', ['html-to-text', 'htmlparser2']],
  ])('%s loads pg, and nothing of changes, mail servers, the daemon or screens', async (command, more) => {
    const loaded = await loadedBy(command.replace('CONTACT', `${ids.contact}`).replace('REPLY', `${ids.reply}`).split(' '));
    const packages = packagesOf(loaded);
    expect(packages).toContain('pg');
    for (const name of [...CHANGES, 'nodemailer', ...MAIL, ...SERVER, ...TERMINAL_SCREENS, ...more]) expect(packages).not.toContain(name);
    // Loading it takes half as long as starting Node, and a connection without TLS doesn't need it.
    expect(loaded).not.toContain('node:tls');
  });
});

/** A change loads only what it uses: docs/decisions/commands-are-bundled.md. */
describe('a command that changes something, on this machine', () => {
  beforeAll(async () => {
    await insertList(installation.app, [], { name: 'Fair' });
    await insertContact(installation.app, { email: 'bo@example.org' });
  });

  it.each([
    'list add Fair bo@example.org',
    'suppression add no@example.org',
  ])('%s, by statements, loads neither MikroORM nor metrics', async (command) => {
    const packages = packagesOf(await loadedBy(command.split(' ')));
    expect(packages).toContain('pg');
    for (const name of ['@mikro-orm/core', '@mikro-orm/postgresql', 'kysely', 'prom-client']) expect(packages).not.toContain(name);
  });

  it.each([
    'contact create new@example.org',
    'campaign set 1 --hours 9-12',
    'key create nightly',
  ])('%s, of a record, loads MikroORM without its migrator, no metrics and no HTML', async (command) => {
    const packages = packagesOf(await loadedBy(command.split(' ')));
    expect(packages).toContain('@mikro-orm/core');
    for (const name of ['@mikro-orm/migrations', 'prom-client', 'htmlparser2']) expect(packages).not.toContain(name);
  });
});

/*
 * A command loads the resources that it calls. A list must not load the code that changes its rows: a change that needs a large module
 * loads it (docs/decisions/commands-are-bundled.md).
 */
describe('a resource of the API', () => {
  const files = resourceFiles();
  /** The largest resource, imports, has 2.0 MB; lists have 1.4 MB, most of it the command line, zod and luxon. */
  const MAX_BYTES = 2_100_000;

  it('is found in the built program, each of them', () => {
    expect(files.map(([name]) => name).sort()).toEqual(Object.keys(resources).sort());
  });

  it.each(files)('%s is loaded without what writes emails, reads mailboxes or runs the daemon', (_, path) => {
    const loaded = [...loadedWith(path)];
    const packages = packagesIn(loaded);
    expect(packages).toContain('zod');
    for (const name of ['nodemailer', 'prom-client', '@mikro-orm/core', ...MAIL, ...SERVER, ...TERMINAL_SCREENS])
      expect(packages).not.toContain(name);
    const bytes = loaded.reduce((sum, file) => sum + Buffer.byteLength(fileAt(file).text), 0);
    expect(bytes, `${loaded.length} files`).toBeLessThan(MAX_BYTES);
  });

  /** Returns the resources that load a module whose text matches. */
  const bringing = (text: RegExp) =>
    files.filter(([, path]) => [...loadedWith(path)].some((file) => text.test(fileAt(file).text))).map(([name]) => name);

  it('transliterates only for an import and a new custom field', () =>
    expect(bringing(/node_modules\/@sindresorhus\/slugify/)).toEqual(['imports']));

  it('brings the list of mailbox providers only to import and check addresses', () =>
    expect(bringing(/node_modules\/email-providers/)).toEqual(['verification', 'imports']));

  it('brings TLS only to read mailboxes, for half a start of Node', () =>
    expect(bringing(/ from "node:tls"/)).toEqual(['accountPlacements']));
});
