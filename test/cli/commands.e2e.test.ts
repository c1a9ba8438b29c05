import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, run before anything is built
import { renderReference } from '../../bin/docs.js';
import { type Cli, cliOf } from '../support/cli.ts';
import { testInstallation } from '../support/database.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';
import { COMMAND_CASES, ELSEWHERE } from './cases/index.ts';
import type { World } from './cases/world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const config = await Config.load({ root, userPlugins: false, devPlugins: false });
const commands = config.commands.filter(({ hidden }) => !hidden);
const nameOf = ({ id }: { id: string }) => id.replaceAll(':', ' ');

let world: World;
let receiver: Server;
let cli: Cli;

beforeAll(async () => {
  const smtp = await startSmtpSink({ users: { me: 'secret' } });
  receiver = createServer((_, response) => void response.writeHead(204).end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  world = { ...(await testInstallation({ webhooksAllowPrivate: true })), smtp, receiver: `http://127.0.0.1:${port}/hook` };
  cli = cliOf(world);
});
afterAll(async () => {
  await world?.smtp.close();
  receiver?.close();
});

describe('every command', () => {
  it('has a case here, or says where it is run, and no case is left of one that is gone', () => {
    const names = commands.map(nameOf).sort();
    expect(Object.keys({ ...COMMAND_CASES, ...ELSEWHERE }).sort()).toEqual(names);
  });

  it.each(
    commands.filter(({ pluginName }) => pluginName === config.name).map((command) => [nameOf(command), command] as const),
  )('%s says what it is for and shows examples of itself whose options exist', (name, command) => {
    expect(command.summary ?? command.description).toMatch(/^\S/);
    expect(command.examples?.length, 'examples').toBeGreaterThan(0);
    for (const example of command.examples ?? []) {
      expect(example).toMatch(new RegExp(`^([A-Z_]+=\\S+ )?<%= config\\.bin %> ${name}( |$)`));
      for (const [, option = ''] of String(example).matchAll(/ --([a-z][a-z-]*)/g))
        expect([...Object.keys(command.flags), 'json'], `${example}`).toContain(option.replace(/^no-/, ''));
    }
  });

  it('that deletes asks first, and --yes answers', () => {
    const deleting = commands.filter(({ id }) => /:(delete|erase)$/.test(id));
    expect(deleting.length).toBeGreaterThan(5);
    expect(deleting.filter(({ flags }) => !('yes' in flags)).map(nameOf)).toEqual([]);
  });

  it('that prints a list takes --limit, --all, --csv, --columns and --json', () => {
    const listing = commands.filter(({ id, flags, summary, description = '' }) => {
      const isNamed = /(^|:)(list|search)$/.test(id) || /^(List|Search) /.test(summary ?? description);
      return isNamed || 'limit' in flags || 'columns' in flags;
    });
    expect(listing.map(nameOf)).toEqual(
      expect.arrayContaining(['campaign contacts', 'campaign forecast', 'history', 'logs', 'workspace list']),
    );
    const lacking = listing.filter(({ flags }) => !['all', 'columns', 'csv', 'json', 'limit'].every((flag) => flag in flags));
    expect(lacking.map(nameOf)).toEqual([]);
  });

  // "The help of `campaign report` prints `[--off ]`, `[--sender NAME ]` with stray spaces."
  it('has a usage line without empty alternatives or gaps; one written by hand names every flag', async () => {
    expect((await renderReference()).match(/.*(\|\s+[|\]]|\[\s|\s\]).*/g)).toBeNull();
    const lacking = commands.flatMap(({ id, usage, flags }) =>
      Object.values(flags)
        .filter(({ name, char, hidden }) => !hidden && usage && ![`--${name}`, `-${char}`].some((flag) => `${usage}`.includes(flag)))
        .map(({ name }) => `${id} --${name}`),
    );
    expect(lacking).toEqual([]);
  });

  it('has its --help in docs/cli.md, as it is now (npm run docs)', async () => {
    expect(readFileSync(`${root}/docs/cli.md`, 'utf8')).toBe(await renderReference());
  });
});

describe('run', () => {
  for (const [name, { args, json, human, env }] of Object.entries(COMMAND_CASES)) {
    const words = name.split(' ');

    it(`${name}: --json prints one document that fits its schema and nothing else`, async () => {
      const { status, stdout, stderr } = await cli([...words, ...(await args(world)), '--json'], { env: env?.(world) ?? {} });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      const parsed = json.safeParse(JSON.parse(stdout));
      expect(parsed.error?.issues, stdout).toBeUndefined();
    });

    it(`${name}: says it to people on stdout, and nothing on stderr`, async () => {
      const { status, stdout, stderr } = await cli([...words, ...(await args(world))], { env: env?.(world) ?? {} });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      expect(stdout).toMatch(human);
    });
  }
});
