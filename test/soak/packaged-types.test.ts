import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error: a program in JavaScript
import { writeClientPackage } from '../../bin/client-package.js';
import { blocksOf } from '../support/docs.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** A client as somebody writes it who has the package and not its sources. */
const CLIENT = `
import { createClient, type Outputs } from 'outreach-client';

const client = createClient({ url: 'http://127.0.0.1:8025', key: 'ork_x' });
export const contact = await client.contacts.create.mutate({ email: 'ada@example.org' });
export const email: string = contact.email;
export const company: string | null = contact.company;
export const status: 'draft' | 'active' | 'paused' | 'completed' = (null as unknown as Outputs)['campaigns']['get']['status'];
`;

/** Each of these has the one mistake that its name tells; were the router's type lost (`any`), none would be one. */
const MISTAKES = {
  'a field that is missing': "await client.contacts.create.mutate({ name: 'Nobody' });",
  'a type that would need coercing': "await client.contacts.update.mutate({ id: 1, is_shared_to_all: 'false' });",
  'a status that there is not': "await client.campaigns.list.query({ status: 'open' });",
  'a procedure that there is not': 'await client.contacts.explode.mutate({ id: 1 });',
  'an answer taken for something else': 'export const id: string = contact.id;',
};

let folder: string;
/** What the compiler says of each file. */
let complaints: Map<string, string[]>;

/** Both packages as npm packs them, unpacked where a project has them, the program beside what it depends on at run time. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outreach-stranger-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'outreach'), { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await run('tar', ['-xzf', join(folder, filename), '-C', join(modules, 'outreach'), '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(modules, 'outreach/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // What docs/client.md installs beside the client.
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const source = join(folder, 'client');
  writeClientPackage(ROOT, source);
  const { stdout: client } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source });
  mkdirSync(join(modules, 'outreach-client'));
  await run('tar', ['-xzf', join(folder, client.trim()), '-C', join(modules, 'outreach-client'), '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  complaints = await compile({ client: CLIENT, ...documented(), ...mistaken() });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const documented = () => Object.fromEntries(blocksOf('docs/client.md', 'ts').map(({ line, text }) => [`documented-${line}`, text]));
const mistaken = () => Object.fromEntries(Object.values(MISTAKES).map((mistake, index) => [`mistake-${index}`, CLIENT + mistake]));

/** Compiles all of these at once, under the settings of `tsc --init --types node`, which docs/client.md says. */
async function compile(sources: Record<string, string>): Promise<Map<string, string[]>> {
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.ts`), source);
  const options = ['--noEmit', '--strict', '--target', 'esnext', '--types', 'node'];
  const modes = [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ];
  const answers = modes.map((mode) =>
    run(process.execPath, [COMPILER, ...options, ...mode, ...Object.keys(sources).map((name) => `${name}.ts`)], { cwd: folder }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    ),
  );
  const [first = '', second] = await Promise.all(answers);
  expect(second, 'both ways to resolve modules agree').toBe(first);
  const lines = first.split('\n').filter((line) => /^\S/.test(line));
  return Map.groupBy(lines, (line) => line.slice(0, line.indexOf('.ts(')));
}

describe('The package outreach-client is a typed client', () => {
  it('a client of the packed package compiles', () => {
    expect(complaints.get('client')).toBeUndefined();
  });

  it('each program of docs/client.md does', () => {
    for (const name of Object.keys(documented())) expect(complaints.get(name)).toBeUndefined();
  });

  it.each(Object.keys(MISTAKES).map((name, index) => [name, `mistake-${index}`]))('%s does not', (_name, file) => {
    const lines = complaints.get(file) ?? [];
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`${file}.ts(${CLIENT.split('\n').length},`);
  });

  // "npm install: 292 packages, 284 MB, for a client. Without skipLibCheck it does not compile."
  it('depends on no package, and has less than a megabyte', () => {
    const package_ = join(folder, 'node_modules/outreach-client');
    const files = readdirSync(package_, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(package_, name)));
    expect(JSON.parse(readFileSync(join(package_, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
    expect(files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)).toBeLessThan(1_000_000);
  });

  // "The README of the client package links to a page that is not in the package."
  it('has a README that is whole, and links to nothing beside it', () => {
    const text = readFileSync(join(folder, 'node_modules/outreach-client/README.md'), 'utf8');
    expect(text).toContain('is a client of the API that knows');
    expect(text.match(/\]\((?!https?:|#)[^)]*\)/g)).toBeNull();
  });

  it('nothing else is wrong', () => {
    expect([...complaints.keys()].filter((name) => !name.startsWith('mistake-'))).toEqual([]);
  });
});

it('The client of the packed package loads nothing of the daemon, and calls a server', async () => {
  const server = createServer((request, response) => {
    const names = /\/trpc\/([^?]*)/.exec(request.url ?? '')?.[1]?.split(',') ?? [];
    response.end(JSON.stringify(names.map(() => ({ result: { data: { key: request.headers.authorization } } }))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(folder, 'call.js'),
    `import { createClient } from 'outreach-client';
    const client = createClient({ url: 'http://127.0.0.1:${port}', key: 'ork_x' });
    console.log(JSON.stringify(await client.access.me.query({})));`,
  );
  // Alone: what it uses is in the bundle.
  for (const name of readdirSync(join(folder, 'node_modules')))
    if (!name.startsWith('outreach')) rmSync(join(folder, 'node_modules', name), { recursive: true });
  const { stdout } = await run(process.execPath, ['call.js'], { cwd: folder });
  server.close();
  expect(JSON.parse(stdout)).toEqual({ key: 'Bearer ork_x' });
});

describe('The package', () => {
  const contents = (path = '.') => readdirSync(join(folder, 'node_modules/outreach', path)).sort();

  it('holds the program, its docs, licences and changelog; no sources, tests or caches', () => {
    const pages = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'];
    expect(contents()).toEqual([...pages, 'bin', 'dist', 'docs', 'oclif.manifest.json', 'package.json']);
    expect(contents('bin')).toEqual(['run.js']);
    expect(contents('dist')).toEqual(['THIRD-PARTY-LICENSES.txt', 'chunks', 'commands', 'commit', 'help.txt', 'src']);
  });

  it('runs where it is unpacked', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'node_modules/outreach/bin/run.js'), '--version']);
    expect(stdout).toMatch(/^outreach\/\d+\.\d+\.\d+(\+[0-9a-f]{8})? /);
  });
});
