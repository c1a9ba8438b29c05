import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { versionOf } from './version.ts';

/** The width in columns for which the help of the program is laid out. */
const HELP_WIDTH = 80;

/** Runs the command line. An error becomes one line on stderr and exit status 1, or 2 for wrong usage, or 130 for Ctrl-C. */
export async function main(root: string): Promise<void> {
  let unwritten: NodeJS.ErrnoException | undefined;
  const keepError = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') unwritten ??= error;
  };
  // A reader that closed the pipe (`| head`, a closed terminal) must not end the program before its cleanup.
  const survive = () => {
    for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', keepError);
  };
  survive();
  // Node would exit with status 13 and a warning about top-level await.
  process.once('beforeExit', () => {
    process.stderr.write('outreach: the command stopped before it was done; please report this as a fault\n');
    process.exit(1);
  });
  process.exitCode = await runCommandLine(process.argv.slice(2), root, survive);
  // Open handles must not keep the process alive: the pool of a failed command, or the timer that Agenda keeps for half
  // the lock of each job that ran (a drained daemon would stay for 15 s).
  for (const stream of [process.stdout, process.stderr]) await flushed(stream);
  // A full disk under `> FILE`: a script must not mistake half a document for the whole.
  if (unwritten !== undefined) process.exitCode ||= await reportUnwritten(unwritten);
  process.exit();
}

/**
 * Runs the command that the words name, and prints its error if it has one.
 * @param root the URL of a file in a subfolder of the package
 * @param loaded called once oclif is loaded, whose listeners throw when the terminal was closed
 * @returns the exit status
 */
export async function runCommandLine(given: readonly string[], root: string, loaded: () => void = () => undefined): Promise<number> {
  const words = withoutHelpWord(given);
  const answer = versionOrHelp(words, root);
  if (answer !== undefined) {
    process.stdout.write(answer);
    return 0;
  }
  try {
    const { run } = await import('@oclif/core');
    loaded();
    const folder = fileURLToPath(new URL('..', root));
    const pjson = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // oclif would look for the user's plugins in OUTREACH_DATA_DIR, which is our data directory.
    await run(words, { root: folder, pjson, userPlugins: false, devPlugins: false });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return (await import('./report.ts')).report(error);
  }
}

/**
 * Returns what oclif prints for `--version` and `--help`, without loading oclif, which takes as long as starting Node. bin/build.js lays
 * out the help. Undefined for other words, if there is no such help, and for a terminal that is narrower than it.
 */
function versionOrHelp(words: readonly string[], root: string): string | undefined {
  const { isTTY, columns } = process.stdout;
  const isVersion = words[0] === '--version';
  const isHelp = words.length === 0 || (words.length === 1 && words[0] === '--help');
  const page = new URL('../dist/help.txt', root);
  if (!isVersion && (!isHelp || (isTTY && columns < HELP_WIDTH) || !existsSync(page))) return undefined;
  const version = versionOf(fileURLToPath(new URL('..', root)));
  const versionLine = `outreach/${version} ${process.platform}-${process.arch} node-${process.version}`;
  if (isVersion) return `${versionLine}\n`;
  const help = readFileSync(page, 'utf8').replace(/^ {2}\S+\/\S+ \S+ node-\S+$/m, `  ${versionLine}`);
  return isTTY && process.stdout.hasColors() ? help : stripVTControlCharacters(help);
}

async function reportUnwritten(error: NodeJS.ErrnoException): Promise<number> {
  const [{ report }, { fileProblem }] = await Promise.all([import('./report.ts'), import('../files/file-problem.ts')]);
  return report(fileProblem('the output', 'written', error));
}

/** Resolves once everything is written or the reader is gone; oclif's own flush would then wait forever. */
const flushed = (stream: NodeJS.WriteStream) => new Promise((resolve) => stream.write('', resolve));

/** `help account list` means `account list --help`, as in other programs. */
const withoutHelpWord = ([first, ...rest]: readonly string[]): string[] => {
  if (first === undefined) return [];
  return first === 'help' ? [...rest, '--help'] : [first, ...rest];
};
