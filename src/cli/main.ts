import { stripVTControlCharacters } from 'node:util';
import { helpPage } from './help-page.ts';

/** Runs the command line. An error becomes one line on stderr and exit status 1, or 2 for wrong usage, or 130 for Ctrl-C. */
export async function main(root: string): Promise<void> {
  // A reader that closed the pipe (`| head`, a closed terminal) must not end the program before its cleanup; oclif's own
  // listeners throw if it was a terminal.
  let unwritten: NodeJS.ErrnoException | undefined;
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') unwritten ??= error;
    });
  process.exitCode = await runCommandLine(process.argv.slice(2), root);
  // Open handles must not keep the process alive: the pool of a failed command, or the timer that Agenda keeps for half
  // the lock of each job that ran (a drained daemon would stay for 15 s).
  for (const stream of [process.stdout, process.stderr]) await flushed(stream);
  // A full disk under `> FILE`: a script must not mistake half a document for the whole.
  if (unwritten !== undefined) process.exitCode ||= await reportUnwritten(unwritten);
  process.exit();
}

/**
 * Runs the command that the words name, and prints its error if it has one.
 * @param root the URL of a file of the program
 * @returns the exit status
 */
export async function runCommandLine(given: readonly string[], root: string): Promise<number> {
  const words = withoutHelpWord(given);
  const page = helpPage(words, root, process.stdout.isTTY ? process.stdout.columns : undefined);
  if (page === undefined) return (await import('./run-command.ts')).runCommand(words, root);
  process.stdout.write(process.stdout.isTTY && process.stdout.hasColors() ? page : stripVTControlCharacters(page));
  return 0;
}

async function reportUnwritten(error: NodeJS.ErrnoException): Promise<number> {
  const [{ report }, { fileProblem }] = await Promise.all([import('./report.ts'), import('../files/file-problem.ts')]);
  return report(fileProblem('the output', 'written', error));
}

/** Resolves once everything is written or the reader is gone; oclif's own flush would then wait for ever. */
const flushed = (stream: NodeJS.WriteStream) => new Promise((resolve) => stream.write('', resolve));

/** `help account list` means `account list --help`, as in other programs. */
const withoutHelpWord = ([first, ...rest]: readonly string[]): string[] => {
  if (first === undefined) return [];
  return first === 'help' ? [...rest, '--help'] : [first, ...rest];
};
