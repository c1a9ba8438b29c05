import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../src/mail/phrases/marks.ts';
import { parsePhrase, patternOfAny } from '../../../src/mail/phrases/notation.ts';
import { PhraseSearch } from '../../../src/mail/phrases/phrase-search.ts';

const PHRASES = [
  'mailbox is full',
  "can't be delivered",
  'kiosk',
  '(Undelivered|returned) mail',
  'opt[ed][ |-]out',
  'e[-| ]mail (not|un)known',
  '(n|m)ot <2 words> f(o|u)nd',
  '^auto[ ]:',
  'zpo(ždě|zdil)',
  'empfänger unbekannt',
  '写道',
  '<10>@<10>',
].map((line) => parsePhrase(line));
const whole = new RegExp(patternOfAny(PHRASES), 'iu');
const search = new PhraseSearch(PHRASES);

describe('a search for many phrases', () => {
  it.each([
    '',
    'nothing of it',
    'Your MAILBOX IS FULL. The mailbox is full.',
    'mail, then: it can’t be delivered',
    'A \u212aIO\u017fk, as Unicode spells it',
    'undelivered mail, or Returned Mail',
    'he opted-out',
    'E mail unknown',
    'user not here was fund',
    'Auto : mail',
    'the notice of Auto:',
    'zpozdil',
    'ZPOŽDĚ',
    'EMPFÄNGER UNBEKANNT',
    'Er 写道',
    'a@b, and the mailbox is full',
    `${'x'.repeat(70_000)} mailbox is full`,
    'Ā mailbox is full: ā',
  ])('finds in %j what one expression finds', (text) => {
    expect(search.indexIn(text)).toBe(text.search(whole));
    expect(search.matches(text)).toBe(whole.test(text));
  });

  it('finds in the beginning of a text what is there, whatever was found in all of it', () => {
    const text = 'hello, your mailbox is full';
    expect(search.indexIn(text)).toBe(12);
    expect(search.matches(text.slice(0, 20))).toBe(false);
    expect(search.matches(text.slice(0, 26))).toBe(false);
    expect(search.matches(text)).toBe(true);
  });
});

describe('the marks of a phrase', () => {
  it.each<[phrase: string, marks: string[]]>([
    ['mailbox is full', ['mailbox is full']],
    ['(Undelivered|returned) mail', ['undelivered mail', 'returned mail']],
    ['opt[ed] out', ['opted out', 'opt out']],
    ['no such (user|person) <6 words> here', ['no such user', 'no such person']],
    ['empfänger unbekannt', ['nger unbekannt']],
    ['<not after not_>listed', ['listed']],
    ['TALEBİNİZ', ['taleb']],
    ['opt<3>out', []],
    ['(opt|leave)<3>', []],
    ['写道', []],
  ])('%s', (phrase, marks) => {
    expect(marksOf(parsePhrase(phrase))).toEqual(marks);
  });
});
