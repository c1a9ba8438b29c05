import { fileURLToPath } from 'node:url';
import { run } from '@oclif/core';
import { fileProblem } from '../files/file-problem.ts';
import { report } from './report.ts';

/** Runs the command line. An error becomes one line on stderr and exit status 1, 2 for wrong usage, 130 for Ctrl-C. */
export async function main(root: string): Promise<void> {
  // A reader who left (`| head`, a terminal that was closed) must not end the program before it has put things away;
  // oclif's own listeners throw when it was a terminal.
  let unwritten: NodeJS.ErrnoException | undefined;
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') unwritten ??= error;
    });
  try {
    // oclif would look for plug-ins of the user in OUTREACH_DATA_DIR, which is ours and holds none.
    await run(words(process.argv.slice(2)), { root: fileURLToPath(root), userPlugins: false, devPlugins: false });
  } catch (error) {
    process.exitCode = report(error);
  }
  // Whatever is left open must not keep the process alive: the pool of a failed command, or the timer that Agenda keeps
  // for half the lock of each job that ran (a drained daemon would stay for 15 s).
  for (const stream of [process.stdout, process.stderr]) await written(stream);
  // A full disk under `> FILE`: a script must not take half a document for all of it.
  if (unwritten !== undefined) process.exitCode ||= report(fileProblem('the output', 'written', unwritten));
  process.exit();
}

/** Resolves when everything has left, or the reader has: oclif's own flush waits for ever then. */
const written = (stream: NodeJS.WriteStream) => new Promise((resolve) => stream.write('', resolve));

/** `help account list` is `account list --help`, as people who know other programs expect. */
const words = ([first, ...rest]: readonly string[]): string[] => {
  if (first === undefined) return [];
  return first === 'help' ? [...rest, '--help'] : [first, ...rest];
};
