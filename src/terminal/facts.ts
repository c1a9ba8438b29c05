import { terminalLine } from '../core/terminal-text.ts';
import { type Screen, screenOf } from './screen.ts';
import { fill, oneLine, textWidth } from './text-width.ts';

const GAP = 2;

/** A fact about one record, for a person: its label and what it is; null for one that says nothing. */
export type Fact = readonly [label: string, value: string | null | undefined];

/** Facts as aligned lines; those without a value are left out. Long values go on below their beginning. */
export function factsText(facts: readonly Fact[], { width }: Pick<Screen, 'width'> = screenOf()): string {
  const shown = facts.flatMap(([label, value]) => (value == null || value === '' ? [] : [[label, value] as const]));
  const indent = Math.max(0, ...shown.map(([label]) => textWidth(label))) + GAP;
  return shown
    .map(([label, value]) => {
      const [first = '', ...more] = wrapped(oneLine(terminalLine(value)), width === null ? null : Math.max(20, width - indent));
      return [`${fill(label, indent)}${first}`, ...more.map((line) => ' '.repeat(indent) + line)].join('\n');
    })
    .join('\n');
}

/** The text in lines of whole words; one line where there is no width. */
function wrapped(text: string, width: number | null): string[] {
  if (width === null) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
