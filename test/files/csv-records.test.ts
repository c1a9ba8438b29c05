import { CsvError, parse } from 'csv-parse/sync';
import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvFormat, CsvReader, CsvSyntaxError } from '../../src/files/csv-records.ts';

const COMMA: CsvFormat = { delimiter: ',', escapedBy: '"', headerLine: 1 };

const recordsOf = (text: string, format: CsvFormat = COMMA) => new CsvReader(format).read(text, true);
const cellsOf = (text: string, format?: CsvFormat) => recordsOf(text, format).map(({ cells }) => cells);

function outcome(read: () => string[][]): string[][] | 'refused' {
  try {
    return read();
  } catch (error) {
    if (error instanceof CsvSyntaxError || error instanceof CsvError) return 'refused';
    throw error;
  }
}

/** The library that we used before, with the options of a tolerant reader. */
const byLibrary = (text: string, { delimiter, escapedBy, headerLine }: CsvFormat) =>
  parse(text, {
    ...{ delimiter, escape: escapedBy, from_line: headerLine, record_delimiter: ['\r\n', '\n', '\r'] },
    ...{ relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
  });

describe('records', () => {
  it.each<[string, string[][]]>([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,\n,b\n',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['"a, ""b""\nc",d\r\n', [['a, "b"\nc', 'd']]],
    ['a\r\n\r\n\nb\rc\n""\n', [['a'], ['b'], ['c'], ['']]],
    ['a"b"c,"a"b"c,x', [['a"b"c', '"a"b"c', 'x']]],
    ['', []],
  ])('%j', (text, expected) => {
    expect(cellsOf(text)).toEqual(expected);
  });

  it('a backslash before any character of a quoted cell', () => {
    expect(cellsOf('"a\\"b\\\\c",\\d\n', { ...COMMA, escapedBy: '\\' })).toEqual([['a"b\\c', '\\d']]);
  });

  it('the line before the header is left out', () => {
    expect(recordsOf('sep=;\r\na;b\r\n', { delimiter: ';', escapedBy: '"', headerLine: 2 })).toEqual([{ line: 2, cells: ['a', 'b'] }]);
  });

  it('each has the line on which it begins, however lines end, within cells too', () => {
    const lines = (text: string, format?: CsvFormat) => recordsOf(text, format).map(({ line }) => line);
    expect(lines('a\n"b\nb"\nc\n\nd')).toEqual([1, 2, 4, 6]);
    expect(lines('a\r\n"b\r\nb\r\n"\r\nc\r\n\r\nd')).toEqual([1, 2, 5, 7]);
    expect(lines('a\r"b\r\rb"\rc\r\rd')).toEqual([1, 2, 5, 7]);
    expect(lines('"a\\\r\n\\\n\\\r"\nb', { ...COMMA, escapedBy: '\\' })).toEqual([1, 5]);
  });

  it('one with an unclosed quotation mark, or longer than 4 MiB, is refused with the line on which it begins', () => {
    expect(() => recordsOf('a\nb,"c\nd\n')).toThrow(expect.objectContaining({ line: 2, message: 'a quotation mark is never closed' }));
    const reader = new CsvReader(COMMA);
    reader.read('a\n"');
    for (let part = 0; part < 4; part++) reader.read('x'.repeat(1024 * 1024 - 1));
    expect(() => reader.read('xxxxxxx')).toThrow(
      expect.objectContaining({ line: 2, message: expect.stringContaining('longer than 4 MiB') }),
    );
    expect(() => recordsOf(`a\n${'x'.repeat(5_000_000)}\nb\n`)).toThrow('longer than 4 MiB');
  });
});

describe('any text', () => {
  const texts = array(constantFrom('a', 'bc', ' ', ',', ';', '"', '""', '\\', '\n', '\r', '\r\n', 'é'), { maxLength: 24 }).map((parts) =>
    parts.join(''),
  );
  const formats = constantFrom<CsvFormat>(COMMA, { ...COMMA, delimiter: ';' }, { ...COMMA, escapedBy: '\\' });

  it('gives the cells that a library gives', () => {
    assert(
      property(texts, formats, (text, format) => {
        expect(outcome(() => cellsOf(text, format))).toEqual(outcome(() => byLibrary(text, format)));
      }),
      { numRuns: 3_000 },
    );
  });

  it('gives the same records and lines in parts, wherever it is cut', () => {
    assert(
      property(texts, formats, integer({ min: 1, max: 5 }), (text, format, size) => {
        const whole = outcome(() => recordsOf(text, format).map(({ line, cells }) => [String(line), ...cells]));
        const inParts = outcome(() => {
          const reader = new CsvReader(format);
          const records = [];
          for (let at = 0; at < text.length; at += size) records.push(...reader.read(text.slice(at, at + size)));
          return [...records, ...reader.read('', true)].map(({ line, cells }) => [String(line), ...cells]);
        });
        expect(inParts).toEqual(whole);
      }),
      { numRuns: 2_000 },
    );
  });
});
