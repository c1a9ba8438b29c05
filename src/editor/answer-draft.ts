import { terminalLine, terminalText } from '../core/terminal-text.ts';

/** The message that is answered, as far as its author reads it. */
export interface Answered {
  from: string;
  subject: string;
  text: string;
}

const BORDER = '---------- Write your answer above this line; what is below it is not sent. ----------';

/** Most lines of the message; the rest is in `reply show`. */
const MAX_LINES = 500;

/**
 * A file in which to write an answer, with the message quoted below. Lines of ours are its first five and its last five: editors take
 * settings from those (Vim: modelines), and the message is a stranger's.
 * @param begun what is written already
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

/** The answer in a draft, without the blank lines around it: what is above the border, or all of it once that is gone. */
export function answerIn(draft: string): string {
  const lines = draft.replace(/^\ufeff/, '').split(/\r?\n/);
  const border = lines.indexOf(BORDER);
  return (border === -1 ? lines : lines.slice(0, border))
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd();
}
