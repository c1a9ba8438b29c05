import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
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
  const texts = files
    .filter((url) => url.startsWith('file:'))
    .map((url) => `// ${fileURLToPath(url)}\n${readFileSync(new URL(url), 'utf8')}`);
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^\/\/(?:#region)? .*?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm)].map(([, name]) => name as string),
  );
  return [...new Set(names)].sort();
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
  ['campaign show 1', ['nodemailer', 'html-to-text']],
  ['status', ['nodemailer', 'html-to-text', 'htmlparser2']],
])('%s on this machine loads pg, and nothing of the daemon, mailboxes or screens', async (command, more) => {
  if (command.endsWith(' 1')) await insertCampaign(installation.app, { id: 1 });
  const packages = await packagesOf(command.split(' '));
  expect(packages).toContain('pg');
  for (const name of ['@mikro-orm/core', ...MAIL, ...SERVER, ...TERMINAL_SCREENS, ...more]) expect(packages).not.toContain(name);
});
