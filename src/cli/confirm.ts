import { Flags } from '@oclif/core';
import { conflict } from '../core/errors.ts';
import { Interrupted } from './interrupt.ts';
import { askLine, say } from './terminal.ts';

/** `--yes`, for every command that asks. */
export const yesFlag = Flags.boolean({ char: 'y', description: 'answer yes to every question' });

/** Returns the error for a question without a terminal. It quotes the question; otherwise the user would not know what was asked. */
export const unanswered = (question: string, otherwise: string) =>
  conflict(`there is no terminal to ask at, so ${otherwise}; pass --yes to agree: ${question}`);

/**
 * Asks for confirmation; `y` or `yes` confirms. Does not ask with --yes. Throws `conflict` for any other answer, and without a terminal.
 * @param question for example `Delete campaign 7?`
 * @param otherwise the consequence of another answer, for example `nothing was deleted`
 */
export async function confirm(flags: { yes: boolean }, question: string, otherwise: string): Promise<void> {
  if (flags.yes) return;
  if (!process.stdin.isTTY) throw unanswered(question, otherwise);
  const answer = await askLine(`${question} (y/N)`).catch((error: Error) => {
    // The cursor is still on the line of the question.
    say('');
    throw error.name === 'AbortError' ? new Interrupted(otherwise) : error;
  });
  if (!/^y(es)?$/i.test(answer.trim())) throw conflict(`not confirmed; ${otherwise}`);
}
