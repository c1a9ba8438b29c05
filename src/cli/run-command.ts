import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Interfaces, Plugin, run } from '@oclif/core';
import type { BaseCommand } from './base-command.ts';
import { report } from './report.ts';

type CommandClass = typeof BaseCommand & (new (...args: ConstructorParameters<typeof BaseCommand>) => BaseCommand);

/** Topics within topics, and the command: `campaign step add`. */
const LONGEST_NAME = 3;

/**
 * Runs the command that the words name, and prints its error if it has one.
 * @param root the URL of a file of the program
 * @returns the exit status
 */
export async function runCommand(words: readonly string[], root: string): Promise<number> {
  try {
    const named = words.includes('--help') ? undefined : namedCommand(words, root);
    // oclif would look for the user's plugins in OUTREACH_DATA_DIR, which is our data directory.
    const options = { root: fileURLToPath(root), userPlugins: false, devPlugins: false };
    if (named === undefined) await run([...words], options);
    else await named.command.run(named.args, { ...options, logger: silent, plugins: new Map([['outreach', programWithoutList(root)]]) });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

/**
 * Finds the command of the words by its file, without the list of all commands: reading and sorting that takes a tenth of a command's
 * time. Undefined where the list is needed: to tell what the words may mean, or to complete them.
 */
function namedCommand(words: readonly string[], root: string): { command: CommandClass; args: string[] } | undefined {
  const end = words.findIndex((word) => !/^[a-z-]+$/.test(word) || word.startsWith('-'));
  const name = words.slice(0, Math.min(LONGEST_NAME, end === -1 ? words.length : end));
  while (name.length > 0) {
    const path = ['', '/index']
      .map((file) => new URL(`../dist/commands/${name.join('/')}${file}.cjs`, root))
      .find((url) => existsSync(url));
    if (path === undefined) {
      name.pop();
      continue;
    }
    const { default: command } = createRequire(root)(fileURLToPath(path)) as { default: CommandClass };
    command.id = name.join(':');
    const args = words.slice(name.length);
    const isAnother = args[0]?.startsWith('-') === false && command.strict && Object.keys(command.args ?? {}).length === 0;
    return isAnother || command.needsList ? undefined : { command, args };
  }
  return undefined;
}

const nothing = () => undefined;

/** For oclif, which otherwise loads a package to log with. */
const silent: Interfaces.Logger = {
  namespace: 'oclif',
  child: () => silent,
  debug: nothing,
  error: nothing,
  info: nothing,
  trace: nothing,
  warn: nothing,
};

/** Describes the program as oclif needs it to run one of its commands. */
function programWithoutList(root: string): Plugin {
  const pjson = JSON.parse(readFileSync(new URL('../package.json', root), 'utf8'));
  const path = fileURLToPath(new URL('..', root));
  const { name, version } = pjson;
  return Object.assign(new Plugin({ root: path, isRoot: true }), {
    root: path,
    name,
    version,
    pjson,
    type: 'core',
    valid: true,
    hooks: {},
    commands: [],
  });
}
