import { Writable } from 'node:stream';

/*
 * A process that runs commands of the built program one after another, as `bin/run.js` runs one. Loading the program is most
 * of what a command costs; here it is loaded once. `command-host.ts` starts it and sends it `CommandRun`s.
 */

/** A command to run: its words, and the whole environment that it sees. */
export interface CommandRun {
  args: readonly string[];
  env: Record<string, string>;
  /** The folder that it runs in; by default that of the tests. */
  cwd?: string;
}

/** The result of a command. */
export interface CommandOutcome {
  status: number;
  stdout: string;
  stderr: string;
}

const program = new URL('../../bin/run.js', import.meta.url);
process.env.NODE_ENV = 'production';
const { runCommandLine } = await import(new URL('../../dist/src/cli/main.js', import.meta.url).href);

const ownFolder = process.cwd();
let last = Promise.resolve();
process.on('message', (run: CommandRun) => {
  last = last.then(async () => void process.send?.(await outcomeOf(run)));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function outcomeOf({ args, env, cwd = ownFolder }: CommandRun): Promise<CommandOutcome> {
  process.chdir(cwd);
  process.env = { NODE_ENV: 'production', ...env };
  process.argv = [process.execPath, program.pathname, ...args];
  process.exitCode = undefined;
  const [stdout, stderr] = [collect('stdout'), collect('stderr')];
  const status = await runCommandLine(args, program.href);
  return { status, stdout: stdout(), stderr: stderr() };
}

/** Replaces stdout or stderr with a stream. Returns a function that returns the text written to it. */
function collect(name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  Object.defineProperty(process, name, { value: stream, configurable: true });
  return () => Buffer.concat(chunks).toString();
}
