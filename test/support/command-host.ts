import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { CommandOutcome, CommandRun } from './command-process.ts';

/** Commands that run one after another in a process that has loaded the program. */
export interface CommandHost {
  /** Resolves with the result of the command. Rejects if the process ends during it, or after a minute. */
  run(command: CommandRun): Promise<CommandOutcome>;
}

const LIMIT_SECONDS = 60;
let host: CommandHost | undefined;

/** Returns the host of this worker, which ends with it. */
export function commandHost(): CommandHost {
  host ??= startHost();
  return host;
}

function startHost(): CommandHost {
  const child = fork(new URL('command-process.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', () => {
      host = undefined;
      reject(new Error('the command ended the process that ran it'));
    }),
  );
  ended.catch(() => undefined);
  let last: Promise<unknown> = once(child, 'message');
  return {
    run(command) {
      const outcome = last.then(() => Promise.race([outcomeOf(child, command), ended]));
      last = outcome.catch(() => undefined);
      return outcome;
    },
  };
}

async function outcomeOf(child: ChildProcess, command: CommandRun): Promise<CommandOutcome> {
  const answer = once(child, 'message', { signal: AbortSignal.timeout(LIMIT_SECONDS * 1_000) });
  child.send(command);
  try {
    const [outcome] = await answer;
    return outcome as CommandOutcome;
  } catch {
    // A stuck command's state must not affect the next one.
    child.kill('SIGKILL');
    throw new Error(`outreach ${command.args.join(' ')} took longer than ${LIMIT_SECONDS} s`);
  }
}
