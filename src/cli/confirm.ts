import { Flags } from '@oclif/core';
import { conflict } from '../core/errors.ts';
import { Interrupted } from './interrupt.ts';
import { askLine, say } from './terminal.ts';

/** `--yes`, for every command that asks. */
export const yesFlag = Flags.boolean({ char: 'y', description: 'answer yes to every question' });

/**
 * Asks for confirmation, which `y` or `yes` gives. With --yes it does not ask. Throws `conflict` for any other answer, and without a terminal.
 * @param question for example `Delete campaign 7?`
 * @param otherwise the consequence of another answer, for example `nothing was deleted`
 */
export async function confirm(flags: { yes: boolean }, question: string, otherwise: string): Promise<void> {
  if (flags.yes) return;
  if (!process.stdin.isTTY) throw conflict('this needs confirmation, and there is no terminal; pass --yes');
  const answer = await askLine(`${question} (y/N)`).catch((error: Error) => {
    // The cursor is still on the line of the question.
    say('');
    throw error.name === 'AbortError' ? new Interrupted(otherwise) : error;
  });
  if (!/^y(es)?$/i.test(answer.trim())) throw conflict(`not confirmed; ${otherwise}`);
}
