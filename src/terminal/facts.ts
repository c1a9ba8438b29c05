import { terminalLine } from '../core/terminal-text.ts';
import { type Screen, screenOf } from './screen.ts';
import { fill, shownLine, textWidth } from './text-width.ts';
import { wrapWords } from './word-wrap.ts';

const GAP = 2;

/** A fact about one record, for display: its label and its value; null if there is no value. */
export type Fact = readonly [label: string, value: string | null | undefined];

/** Formats facts as aligned lines. Leaves out facts without a value. Long values continue below their first line. */
export function factsText(facts: readonly Fact[], { width }: Pick<Screen, 'width'> = screenOf()): string {
  const shown = facts.flatMap(([label, value]) => (value == null || value === '' ? [] : [[label, value] as const]));
  const indent = Math.max(0, ...shown.map(([label]) => textWidth(label))) + GAP;
  const wrapped = (text: string) => (width === null ? [text] : wrapWords(text, Math.max(20, width - indent)));
  return shown
    .map(([label, value]) => {
      const [first = '', ...more] = wrapped(shownLine(terminalLine(value)));
      return [`${fill(label, indent)}${first}`, ...more.map((line) => ' '.repeat(indent) + line)].join('\n');
    })
    .join('\n');
}
