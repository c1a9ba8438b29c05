import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Sentence } from './sentences.ts';

/** Sentences made from each pattern. Most patterns have hundreds, but a few are enough to teach the words. */
const PER_PATTERN = 12;

interface OfPattern extends Pick<Sentence, 'language' | 'text' | 'isRequest'> {
  /** The pattern, which is the same for all its sentences. */
  readonly source: string;
}

/** Yields random sentences of the patterns in `patterns/LANGUAGE.txt`. */
export function* sentencesOfPatterns(random: () => number): Generator<OfPattern> {
  for (const file of globSync(new URL('./patterns/*.txt', import.meta.url).pathname).sort()) {
    const names = new Map<string, string>();
    for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
      const [, name, words] = /^(\w+) = (.+)$/.exec(line) ?? [];
      if (name !== undefined && words !== undefined) {
        names.set(name, `(${words})`);
        continue;
      }
      const pattern = line.slice(2).replaceAll(/\{(\w+)\}/g, (_, each: string) => names.get(each) as string);
      const texts = new Set(Array.from({ length: PER_PATTERN }, () => expand(pattern, random)));
      for (const text of texts) yield { language: basename(file, '.txt'), text, isRequest: line.startsWith('+ '), source: pattern };
    }
  }
}

/** Replaces each "(a|b|)" in a pattern by a random alternative, the innermost first. */
function expand(pattern: string, random: () => number): string {
  let text = pattern;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => {
      const choices = inner.split('|');
      return choices[Math.floor(random() * choices.length)] as string;
    });
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}
