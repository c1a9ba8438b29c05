import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Query, Value } from '../../src/contacts/search/ast.ts';
import { parse } from '../../src/contacts/search/parse.ts';
import { OutreachError } from '../../src/core/errors.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/runs.ts';

const messageFor = (query: string): string => {
  try {
    parse(query);
  } catch (error) {
    expect(error).toBeInstanceOf(OutreachError);
    expect((error as OutreachError).code).toBe('invalid_request');
    return (error as OutreachError).message;
  }
  return 'no error';
};

/** The tree in a notation that shows what was understood: `(and a (not b))`, `name[one|"two"]`. */
function show(query: Query): string {
  const scalar = ({ text, isQuoted }: { text: string; isQuoted: boolean }) => (isQuoted ? JSON.stringify(text) : text);
  const value = (one: Value) => (one.kind === 'range' ? `${scalar(one.from)}..${scalar(one.to)}` : one.operator + scalar(one.scalar));
  switch (query.kind) {
    case 'text':
      return scalar(query.scalar);
    case 'not':
      return `(not ${show(query.operand)})`;
    case 'term':
      return `${query.field}[${query.values.map(value).join('|')}]`;
    default:
      return `(${query.kind} ${query.operands.map(show).join(' ')})`;
  }
}

describe('the grammar', () => {
  it.each([
    ['ada', 'ada'],
    ['ada acme', '(and ada acme)'],
    ['ada AND acme', '(and ada acme)'],
    ['ada OR acme', '(or ada acme)'],
    ['a b OR c d', '(or (and a b) (and c d))'],
    ['a (b OR c)', '(and a (or b c))'],
    ['( a )', 'a'],
    ['-a', '(not a)'],
    ['NOT a', '(not a)'],
    ['NOT (a OR b)', '(not (or a b))'],
    ['-(a b)', '(not (and a b))'],
    ['NOT -a', '(not (not a))'],
    ['-name:x', '(not name[x])'],
    ['a\u00a0b\tc\nd', '(and a b c d)'],
  ])('%s', (query, tree) => expect(show(parse(query))).toBe(tree));

  it('only upper-case words are operators; quotes take the meaning away', () => {
    expect(show(parse('or and not'))).toBe('(and or and not)');
    expect(show(parse('a "OR" b'))).toBe('(and a "OR" b)');
    expect(show(parse('ORacle ANDy'))).toBe('(and ORacle ANDy)');
  });

  it.each([
    ['name:ada', 'name[ada]'],
    ['NAME:Ada', 'name[Ada]'],
    ['cf.Favourite_colour:green', 'cf.favourite_colour[green]'],
    ['id:1,2,3', 'id[1|2|3]'],
    ['name:"Ada Lovelace",bob', 'name["Ada Lovelace"|bob]'],
    ['name:"a \\"b\\" \\\\ \\n"', 'name["a \\"b\\" \\\\ \\\\n"]'],
    ['step:>=2,<=4,=7,>8,<9', 'step[>=2|<=4|=7|>8|<9]'],
    ['created:2026-01-01..*', 'created[2026-01-01..*]'],
    ['created:2026-01-01T10:00:00+02:00', 'created[2026-01-01T10:00:00+02:00]'],
    ['cf.size:1.5..2.5', 'cf.size[1.5..2.5]'],
    ['(name:ada)', 'name[ada]'],
    ['name:a=b', 'name[a=b]'],
    ['name:', 'name[]'],
    ['name: ada', '(and name[] ada)'],
    ['name:a,', 'name[a|]'],
    ['name:a.b', 'name[a.b]'],
  ])('a term: %s', (query, tree) => expect(show(parse(query))).toBe(tree));

  it('a colon that does not follow letters is text, and so is an address', () => {
    for (const text of ['12:30', 'http://example.com/a', ':x', '1a:b', '+x:y']) expect(show(parse(text))).toBe(text);
  });

  it('commas, dots and comparison signs belong to text without a field', () => {
    expect(show(parse('Smith,John a..b >5'))).toBe('(and Smith,John a..b >5)');
  });
});

describe('errors say what is wrong and where, counted in characters from 1', () => {
  it.each([
    ['', 'query is empty'],
    ['  \t ', 'query is empty'],
    ['a'.repeat(1001), 'query is longer than 1000 characters'],
    [Array.from({ length: 51 }, (_, at) => `t${at}`).join(' '), 'more than 50 terms'],
    ['company:"acme', 'unterminated quote at position 9'],
    ['a "b\\"', 'unterminated quote at position 3'],
    ['é🙂 "x', 'unterminated quote at position 4'],
    ['(a OR b', 'unbalanced parenthesis at position 1'],
    ['a OR b)', 'unbalanced parenthesis at position 7'],
    [')', 'unbalanced parenthesis at position 1'],
    ['a (', 'unbalanced parenthesis at position 3'],
    ['a OR', 'dangling OR at position 3'],
    ['OR a', 'dangling OR at position 1'],
    ['a OR OR b', 'dangling OR at position 3'],
    ['(a OR ) b', 'dangling OR at position 4'],
    ['a AND', 'dangling AND at position 3'],
    ['AND a', 'dangling AND at position 1'],
    ['a AND OR b', 'dangling AND at position 3'],
    ['a NOT', 'dangling NOT at position 3'],
    ['a - b', 'dangling - at position 3'],
    ['-', 'dangling - at position 1'],
    ['a ()', 'empty parentheses at position 3'],
    ['a ""', 'empty text at position 3'],
    ['company:(a OR b)', 'empty value for company'],
    ['company:acme(uk)', 'missing space at position 13'],
    ['"a"b', 'missing space at position 4'],
    ['(a)(b)', 'missing space at position 4'],
    ['id:1..2..3', 'missing space at position 8'],
    ['id:>1..2', 'a range takes no operator, at position 4'],
    ['a\0b', 'query contains a NUL character'],
  ])('%j', (query, message) => expect(messageFor(query)).toBe(message));

  it('exactly 1000 characters and 50 terms are allowed; characters are what people see', () => {
    expect(messageFor('🙂'.repeat(1000))).toBe('no error');
    expect(messageFor('🙂'.repeat(1001))).toBe('query is longer than 1000 characters');
    expect(messageFor(Array.from({ length: 50 }, (_, at) => `t${at}`).join(' '))).toBe('no error');
    expect(messageFor(`id:${Array.from({ length: 200 }, (_, at) => at).join(',')}`)).toBe('no error');
  });

  it('any text is understood or refused as invalid_request, however deep', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '"',
      '-',
      ' ',
      'OR',
      'AND',
      'NOT',
      'a',
      'name:',
      ',',
      '..',
      '>',
      '=',
      '*',
      '\\',
      ':',
      '🙂',
      '\u2028',
    );
    const text = fc.oneof(
      anyText({ maxLength: 60 }),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (query) => void messageFor(query)),
      { numRuns: runs(1_000, 5_000) },
    );
    for (const deep of ['('.repeat(1000), '-'.repeat(999), `${'('.repeat(499)}a${')'.repeat(499)}`, `${'-'.repeat(999)}a`])
      messageFor(deep);
    expect(show(parse(`${'('.repeat(499)}a${')'.repeat(499)}`))).toBe('a');
  });
});
