import { Config, Help } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import { processCliOf } from '../support/cli.ts';
import { ROOT } from '../support/docs.ts';

const OPTIONS = { root: ROOT, userPlugins: false, devPlugins: false };
/** Neither --version nor --help needs an installation. */
const cli = processCliOf({ dataDir: '/nonexistent', databaseUrl: '' });

/** Returns the help of the program as oclif lays it out. */
async function rootHelp(): Promise<string> {
  let text = '';
  class Page extends Help {
    protected override log(line: string): void {
      text += `${line}\n`;
    }
  }
  await new Page(await Config.load(OPTIONS), { maxWidth: 80, stripAnsi: true }).showHelp(['--help']);
  return text;
}

/** Adds the commit to the version, which oclif does not know. */
const withCommit = async (page: string) => {
  const { version } = await Config.load(OPTIONS);
  const [, commit = ''] = /^outreach\/\S+?(\+\S+)? /.exec((await cli(['--version'])).stdout) ?? [];
  return page.replace(`/${version} `, `/${version}${commit} `);
};

describe('what is answered without loading oclif is what oclif answers', () => {
  // "Version 0.1.0 is two programs: `outreach --version`, `status`, the MCP server, the file name: indistinguishable."
  it('--version, with the commit that it was built from', async () => {
    const { userAgent, version } = await Config.load(OPTIONS);
    const { status, stdout } = await cli(['--version']);
    const [, commit] = /\+([0-9a-f]{8})(?= )/.exec(stdout) ?? [];
    expect({ status, stdout: stdout.replace(`${version}+${commit}`, version) }).toEqual({ status: 0, stdout: `${userAgent}\n` });
  });

  it.each([[['--help']], [['help']], [[]]])('the help of the program: %j', async (words) => {
    expect(await cli(words)).toMatchObject({ status: 0, stdout: await withCommit(await rootHelp()), stderr: '' });
  });
});

it.each([
  [['help', 'campaign', 'list'], /^List campaigns\n[\s\S]*\$ outreach campaign list/],
  [['campaign', 'list', '--help'], /^List campaigns\n/],
  [['campaign', '--help'], /^Create, change, check and run campaigns\n[\s\S]*campaign activate/],
  [['campaign'], /^Create, change, check and run campaigns\n/],
])('%j shows help', async (words, page) => {
  expect(await cli(words)).toMatchObject({ status: 0, stdout: expect.stringMatching(page), stderr: '' });
});
