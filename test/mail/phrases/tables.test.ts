import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Part, type Phrase, patternOfAny } from '../../../src/mail/phrases/notation.ts';
import { PhraseList, PhraseTable } from '../../../src/mail/phrases/phrase-table.ts';
import { RULES } from '../../../src/mail/replies/classify-reply.ts';
import { examplesOf } from '../../support/phrase-examples.ts';

const files = globSync('src/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('phrases/phrase-table.ts'));
const modules = await Promise.all(files.map(async (file) => (await import(resolve(file))) as Record<string, unknown>));
const exported = modules
  .flatMap((module) => Object.entries(module))
  .filter((entry): entry is [string, PhraseList] => entry[1] instanceof PhraseList);
const rules = RULES.flatMap(({ name, phrases }): [string, PhraseList][] => (phrases === undefined ? [] : [[`rule "${name}"`, phrases]]));
const all = [...new Map([...exported, ...rules].map(([name, list]) => [list, name]))].map(([list, name]) => ({ name, list }));
const tables = all.filter(({ list }) => list instanceof PhraseTable);

/** Returns every phrase with its source line, its language, its parts and its regular expression. */
const phrasesOf = (list: PhraseList) => {
  const lines = list.groups.flatMap(({ language, phrases }) => phrases.map((line) => ({ language, line })));
  return lines.map((line, index) => {
    const phrase = list.phrases[index] as Phrase;
    return { ...line, phrase, expression: new RegExp(patternOfAny([phrase]), 'iu') };
  });
};

/** Returns a text alone, inside a word, and before, after and between other words. */
const inContext = (text: string) => [text, `x${text}x`, `a ${text}`, `${text} b`, `a ${text} b`, `a\n${text}\nb`];

const mayBeMissing = (part: Part | undefined): boolean =>
  part !== undefined &&
  ((part.kind === 'choice' && part.options.some((option: Phrase) => option.length === 0)) ||
    (part.kind === 'pattern' && /\{0,\d+\}$/.test(part.source)));

describe('phrase tables', () => {
  it('are found', () => {
    expect(all.length).toBeGreaterThan(80);
    expect(tables.length).toBeGreaterThan(50);
    expect(all.reduce((sum, { list }) => sum + list.phrases.length, 0)).toBeGreaterThan(2_000);
  });

  it.each(all)('$name: every group names its source', ({ list }) => {
    for (const { language, source } of list.groups) {
      expect(language).toMatch(/^(any|[a-z]{2,3})$/);
      expect(source.length).toBeGreaterThan(2);
    }
  });

  it.each(all)('$name: groups stand in the order of their languages', ({ list }) => {
    const languages = list.groups.map(({ language }) => language);
    expect(languages).toEqual(languages.toSorted());
  });

  it.each(files)('%s: one phrase a line, in the order of its characters', (file) => {
    for (const [, head, body = ''] of readFileSync(file, 'utf8').matchAll(/\b(group\('.*\))`([^`]*)`/g)) {
      const lines = body.split('\n').slice(1, -1);
      const phrases = lines.map((line) => line.trim());
      expect(phrases, head).toEqual(phrases.toSorted());
      expect(
        phrases.every((phrase) => phrase !== ''),
        head,
      ).toBe(true);
    }
  });

  it.each(all)('$name: no phrase stands twice in a language', ({ list }) => {
    const lines = list.groups.flatMap(({ language, phrases }) => phrases.map((phrase) => `${language}: ${phrase}`));
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  });

  it.each(all)('$name: every phrase matches what it stands for', ({ list }) => {
    const dead = phrasesOf(list).filter(
      ({ phrase, expression }) =>
        !examplesOf(phrase)
          .flatMap(inContext)
          .some((text) => expression.test(text)),
    );
    expect(dead.map(({ line }) => line)).toEqual([]);
  });

  it.each(tables)('$name: no phrase is covered by others of its language', ({ list }) => {
    const phrases = phrasesOf(list);
    const dead = phrases.filter((one) =>
      examplesOf(one.phrase)
        .flatMap(inContext)
        .filter((text) => one.expression.test(text))
        .every((text) => phrases.some((other) => other !== one && other.language === one.language && other.expression.test(text))),
    );
    expect(dead.map(({ line }) => line)).toEqual([]);
  });

  it.each(tables)('$name: no phrase begins or ends with what may be missing: it would say nothing there', ({ list }) => {
    const loose = phrasesOf(list).filter(({ phrase }) => mayBeMissing(phrase[0]) || mayBeMissing(phrase.at(-1)));
    expect(loose.map(({ line }) => line)).toEqual([]);
  });

  it.each(all)('$name: no repetition is without a maximum', ({ list }) => {
    expect(list.pattern).not.toMatch(/(?<!\\)[*+]|,\}/);
  });

  it.each(tables)('$name: a hundred thousand characters, more than is read of any message, take less than a second', ({ list }) => {
    const starts = list.phrases.map((phrase) => examplesOf(phrase)[0]?.slice(0, -1) ?? '');
    const texts = [' ', 'x', ...starts.slice(0, 10).map((start) => `${start} `), `${starts.join(' ')} `];
    for (const text of texts) {
      const begin = process.cpuUsage();
      (list as PhraseTable).matches(text.repeat(Math.ceil(100_000 / text.length)).slice(0, 100_000));
      const { user, system } = process.cpuUsage(begin);
      expect((user + system) / 1_000_000, text.slice(0, 40)).toBeLessThan(1);
    }
  });
});
