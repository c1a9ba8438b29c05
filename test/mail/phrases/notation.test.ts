import { describe, expect, it } from 'vitest';
import { parsePhrase, patternOfAny } from '../../../src/mail/phrases/notation.ts';

const matches = (phrase: string, text: string, lists: Record<string, string[]> = {}) => {
  const parsed = Object.fromEntries(Object.entries(lists).map(([name, lines]) => [name, lines.map((line) => parsePhrase(line))]));
  return new RegExp(patternOfAny([parsePhrase(phrase, parsed)]), 'iu').test(text);
};

describe('the notation of phrases', () => {
  it.each<[phrase: string, matching: string[], others: string[]]>([
    ['mailbox full', ['Mailbox full', 'the mailbox fully'], ['mailbox  full', 'mailboxfull']],
    ['(user|person) unknown', ['user unknown', 'PERSON UNKNOWN'], ['unknown']],
    ['mail[ ]box', ['mailbox', 'mail box'], ['mail-box']],
    ['e[-| ]mail', ['email', 'e-mail', 'e mail'], ['e_mail']],
    ["can't", ["can't", 'can’t', 'can´t', 'can?t'], ['cant']],
    ['listed in_', ['listed in the'], ['listed in', 'listed int']],
    ['|ptr|', ['no PTR record', 'ptr'], ['aptr', 'ptrs']],
    ['|échec|', ['Échec', 'un échec.'], ['échecs', 'l\u0065échec']],
    ['congé|', ['en congé', 'congé.'], ['congés']],
    ['^auto[ ]:', ['Auto: x', 'auto : x'], ['x auto:']],
    ['is full$', ['it is full'], ['is full.']],
    ['nicht<5>zugestellt', ['nicht zugestellt', 'nicht abc zugestellt'], ['nicht abcde zugestellt', 'nicht\nzugestellt']],
    ['stop<9 in sentence>mail', ['stop the mail'], ['stop. The mail', 'stop! mail']],
    ['user <2 words> not found', ['user not found', 'user <a@b> was not found'], ['user a b c not found', 'usernot found']],
    ['find <word>@', ['find ada.lovelace@'], ['find @', 'find ada @']],
    ["<letters>n't", ["couldn't"], ["n't"]],
    ['the first <number> lines', ['the first 20 lines'], ['the first lines']],
    ['TSS0<digit>', ['[TSS04]'], ['TSS0x']],
    ['follows<blank>$', ['follows', 'follows \t'], ['follows.']],
    ['take me off<stop>', ['take me off.', 'take me off', 'take me off\nthanks'], ['take me off the']],
    ['absence<not _of>', ['absence', 'absence note'], ['absence of mind']],
    ['<not after not_>listed', ['is listed'], ['not listed']],
    ['<not after |(can|will) not_>stop', ['stop', 'do not stop'], ['can not stop']],
    ['\\((con|dyn)\\)', ['(con)'], ['con']],
    ['5.7.1', ['5.7.1'], ['5x7x1']],
  ])('%s', (phrase, matching, others) => {
    for (const text of matching) expect(matches(phrase, text), text).toBe(true);
    for (const text of others) expect(matches(phrase, text), text).toBe(false);
  });

  it('a name stands for every phrase of its list', () => {
    const lists = { who: ['user', 'mail[ ]box'] };
    expect(matches('no such <who>', 'No such mail box', lists)).toBe(true);
    expect(matches('no such <who>', 'No such person', lists)).toBe(false);
  });

  it.each([
    ['', 'not a phrase'],
    ['(a|b', '")" is missing'],
    ['[a', '"]" is missing'],
    ['(a]', '")" is missing'],
    ['a)', 'a closing bracket has no opening one'],
    ['<a', 'not a phrase'],
    ['<who> unknown', 'there is no list "who"'],
  ])('refuses %j', (phrase, message) => {
    expect(() => parsePhrase(phrase)).toThrow(message);
  });
});
