import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';

// docs/security.md: "A regular expression takes time in proportion to the text". Outside text can have any length and any characters.

/** Those that never meet outside text, or only text that is cut before, by file and pattern, with the reason. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/core/english.ts \\B(?=(?:\\d{3})+$)': 'the digits of a number',
  'src/core/settings.ts ^\\s*(?:(?:"([^"\\\\]*)"|([^"<>]*?))\\s*<([^<>\\s]+)>|([^<>\\s]+))\\s*$': 'the settings of the operator',
  'src/mail/phrases/phrase-table.ts \\s*\\n\\s*': 'our own tables',
  'src/mcp/tools.ts [A-Z]+ \\/[\\w/{}.-]*\\w}?': 'our own descriptions',
  'src/tracking/unsubscribe.ts ^(.).*(@.).*(\\.[^.]*)$': 'an address that was stored, of 254 characters at most',
};

const CHARACTERS = 5_000;
/** A linear one takes less than a millisecond of the processor, a quadratic one tens or hundreds. */
const MAX_MILLISECONDS = 8;
const COMMON = [
  ' ',
  '\n',
  '\t',
  '\r\n',
  'a',
  '0',
  '<',
  '>',
  '"',
  '-',
  '.',
  '@',
  '{',
  '=',
  '/',
  ',',
  ';',
  ':',
  '[',
  '(',
  '_',
  '\u00a0',
  'é',
];
const SECONDS = [' ', 'a', '0', '\n', '<', '"', '.', '-'];

interface Literal {
  where: string;
  regex: RegExp;
}

function* literalsOf(value: unknown): Generator<{ pattern: string; flags: string }> {
  if (typeof value !== 'object' || value === null) return;
  const { type, regex } = value as { type?: string; regex?: { pattern: string; flags: string } };
  if (type === 'Literal' && regex) yield regex;
  for (const child of Object.values(value)) yield* literalsOf(child);
}

const literals: Literal[] = globSync('src/**/*.{ts,tsx}')
  .sort()
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    // Most files have none, and parsing takes its time.
    if (!text.includes('/')) return [];
    const found = literalsOf(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
    return [...found].map(({ pattern, flags }) => ({ where: `${file} ${pattern}`, regex: new RegExp(pattern, flags) }));
  })
  // Without repetition it reads each place a bounded number of times.
  .filter(({ regex }) => /[*+]|\{\d+,\d*\}/.test(regex.source));

/** A processor that has other things to do makes single tries slow. */
const TRIES = 10;

/** What to repeat: common characters, those of the pattern, pairs of them, its words, and all of its literal text. */
function pumpsFor({ source }: RegExp): string[] {
  const plain = source.replaceAll(/\\[bBdDsSwWpPknrtuxfv]/g, '').replaceAll(/[()[\]^$*+?|\\]/g, '');
  const singles = [...new Set([...COMMON, ...plain])].slice(0, 40);
  const words = source.match(/[a-z<>&!-]{2,}/gi) ?? [];
  return [
    ...singles,
    ...singles.flatMap((one) => SECONDS.map((other) => one + other)),
    ...words.flatMap((word) => [word, `${word} `]),
    plain,
  ];
}

/** Milliseconds of the processor that one search, or one replacement of everything found, takes. */
function costOf(regex: RegExp, text: string): number {
  regex.lastIndex = 0;
  const before = process.cpuUsage();
  if (regex.global) text.replaceAll(regex, '');
  else regex.test(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least that one try of several takes, as soon as one is fast enough. */
function leastCost(regex: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > MAX_MILLISECONDS; tries++) least = Math.min(least, costOf(regex, text));
  return least;
}

/**
 * The text for which it is slow, if there is one: it takes long, and a quarter of the text takes much less than a quarter of the time. Other
 * threads of the process count, too, and make both slow.
 */
function slowText(regex: RegExp): string | undefined {
  for (const pump of pumpsFor(regex).filter((text) => text !== ''))
    for (const before of ['', 'a']) {
      const textOf = (characters: number) => `${before}${pump.repeat(characters / pump.length)}\u0000`;
      const cost = leastCost(regex, textOf(CHARACTERS));
      if (cost > MAX_MILLISECONDS && leastCost(regex, textOf(CHARACTERS / 4)) < cost / 8) return `${before}${pump}…`;
    }
  return undefined;
}

it('each of src/ is linear, whatever is repeated before it', () => {
  expect(literals.length).toBeGreaterThan(200);
  const slow = literals
    .filter(({ where }) => !(where in BOUNDED))
    .flatMap(({ where, regex }) => {
      const text = slowText(regex);
      return text === undefined ? [] : [`${where} takes long for ${JSON.stringify(text)}`];
    });
  expect(slow).toEqual([]);
  const known = new Set(literals.map(({ where }) => where));
  expect(Object.keys(BOUNDED).filter((where) => !known.has(where))).toEqual([]);
}, 120_000);
