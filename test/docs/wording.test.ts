import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages, ROOT } from '../support/docs.ts';

/** Words that no help, message, error or page uses, and what to write. CONTRIBUTING.md has the guide. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z]{3,}\(s\)(?! ->)/, 'the plural, see `quantity` in src/core/english.ts'],
  [/(?<!e-|too many )\bmails\b/i, 'emails'],
  [/\b(e?mail (program|app|software)|mail client)/i, 'email client'],
  [/\bautomatic repl(y|ies)\b/i, 'auto-reply'],
  [/\bcan not\b/i, "can't"],
  [/[a-z]’[a-z]/i, "a straight apostrophe: can't"],
  [/\bshall\b/i, 'must, will or is to'],
  [/\b(in order to|in case that|respectively)\b/i, 'to; if; a sentence for each'],
  [/\b(simply|just run|please be aware|please note)\b/i, 'nothing: leave it out'],
];

/** Words of other people: messages that we recognise, and other languages. */
const FOREIGN = /^src\/(mail\/(classify|replies|phrases|opt-outs)|http\/unsubscribe-page|html)/;

const sources = globSync(['src/**/*.{ts,tsx}', 'commands/**/*.ts'], { cwd: ROOT }).filter((path) => !FOREIGN.test(path));
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const placesOf = (paths: readonly string[], words: RegExp) =>
  paths.flatMap((path) => {
    // A line break may divide words.
    const text = read(path).replaceAll(/\s+/g, ' ');
    return [...text.matchAll(new RegExp(words, `${words.flags}g`))].map(
      ({ index }) => `${path}: ${text.slice(Math.max(0, index - 20), index + 40)}`,
    );
  });

describe('help, messages, errors and pages', () => {
  it.each(WORDS)('do not say %s but %s', (words) => {
    expect(placesOf([...sources, ...pages(), 'SECURITY.md', 'CHANGELOG.md'], words)).toEqual([]);
  });
});

describe('docstrings', () => {
  it('begin with the thing or with what it does, never with What, How or Whether', () => {
    expect(placesOf(sources, /\/\*\* (\* )?(What|How|Whether)\b/)).toEqual([]);
  });
});

describe('the summary of a command', () => {
  /** The first line of a command's description; undefined for the hidden ones without any. */
  const summaryOf = (path: string) =>
    /static override (?:summary|description) =\s*(['"`])([\s\S]*?)(?<!\\)\1/.exec(read(path))?.[2]?.split(/\n|\\n/)[0];
  const summaries = sources.filter((path) => path.startsWith('commands/')).map((path) => [path, summaryOf(path)] as const);

  it.each(summaries)('is an instruction in one line: %s', (path, summary) => {
    if (summary === undefined) return expect(read(path)).toContain('static override hidden = true');
    expect(summary, 'begins with a verb in the imperative').toMatch(/^(?!A |An |The |This |It )[A-Z][a-z]+(?<!ing|[^s]s) /);
    // oclif's list of commands shows one line each.
    expect(summary.length, summary).toBeLessThanOrEqual(100);
    expect(summary, 'no full stop').not.toMatch(/\.$/);
  });
});
