import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { CommandOutcome, CommandRun } from './command-process.ts';

/** Commands that run one after another in a process that has loaded the program. */
export interface CommandHost {
  /** Resolves with what the command left behind. Rejects when the process ended under it, or after a minute. */
  run(command: CommandRun): Promise<CommandOutcome>;
}

const LIMIT_SECONDS = 60;
let host: CommandHost | undefined;

/** The host of this worker, which ends with it. */
export function commandHost(): CommandHost {
  host ??= startHost();
  return host;
}

function startHost(): CommandHost {
  const child = fork(new URL('command-process.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.once('exit', () => {
    host = undefined;
  });
  let last: Promise<unknown> = once(child, 'message');
  return {
    run(command) {
      const outcome = last.then(() => outcomeOf(child, command));
      last = outcome.catch(() => undefined);
      return outcome;
    },
  };
}

async function outcomeOf(child: ChildProcess, command: CommandRun): Promise<CommandOutcome> {
  const limit = AbortSignal.timeout(LIMIT_SECONDS * 1_000);
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error(`outreach ${command.args.join(' ')} ended the process that ran it`)));
  const answer = once(child, 'message', { signal: AbortSignal.any([limit, ended.signal]) });
  child.send(command);
  try {
    const [outcome] = await answer;
    return outcome as CommandOutcome;
  } catch (error) {
    // What a command that got stuck still holds must not meet the next one.
    child.kill('SIGKILL');
    throw limit.aborted ? new Error(`outreach ${command.args.join(' ')} took longer than ${LIMIT_SECONDS} s`) : error;
  }
}
