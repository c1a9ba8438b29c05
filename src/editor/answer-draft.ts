import { terminalLine, terminalText } from '../core/terminal-text.ts';

/** The message to answer, with the parts that its recipient reads. */
export interface Answered {
  from: string;
  subject: string;
  text: string;
}

const BORDER = '---------- Write your answer above this line; what is below it is not sent. ----------';

/** Maximum number of lines of the message; `reply show` has the rest. */
const MAX_LINES = 500;

/**
 * Builds the text of a file in which to write an answer, with the message quoted below. The first five and the last five lines are our own,
 * because editors read settings from those (Vim: modelines), and the message was written by a stranger.
 * @param begun text that is already written
 */
export function answerDraft({ from, subject, text }: Answered, begun = ''): string {
  const lines = terminalText(text).split('\n');
  const quoted = lines.slice(0, MAX_LINES).map((line) => `> ${line}`.trimEnd());
  const rest = lines.length > MAX_LINES ? [`> (${lines.length - MAX_LINES} more lines)`] : [];
  return [
    begun,
    BORDER,
    '',
    '',
    '',
    `From: ${terminalLine(from)}`,
    `Subject: ${terminalLine(subject)}`,
    '',
    ...quoted,
    ...rest,
    '',
    '',
    '',
    '',
    '',
    '',
  ].join('\n');
}

/** Returns the answer in a draft, without the blank lines around it: the text above the border, or all of it if the border was deleted. */
export function answerIn(draft: string): string {
  const lines = draft.replace(/^\ufeff/, '').split(/\r?\n/);
  const border = lines.indexOf(BORDER);
  return (border === -1 ? lines : lines.slice(0, border))
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd();
}
