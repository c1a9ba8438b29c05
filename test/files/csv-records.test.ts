import { array, assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvFormat, CsvSyntaxError, csvRecords } from '../../src/files/csv-records.ts';

const COMMA: CsvFormat = { delimiter: ',', escapedBy: '"', headerLine: 1 };

const recordsOf = (text: string, format: CsvFormat = COMMA) => Array.fromAsync(csvRecords([text], format));
const cellsOf = async (text: string, format?: CsvFormat) => (await recordsOf(text, format)).map(({ cells }) => cells);

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
  ])('%j', async (text, expected) => {
    expect(await cellsOf(text)).toEqual(expected);
  });

  it('a backslash before any character of a quoted cell', async () => {
    expect(await cellsOf('"a\\"b\\\\c",\\d\n', { ...COMMA, escapedBy: '\\' })).toEqual([['a"b\\c', '\\d']]);
  });

  it('the line before the header is left out', async () => {
    expect(await recordsOf('sep=;\r\na;b\r\n', { delimiter: ';', escapedBy: '"', headerLine: 2 })).toEqual([
      { line: 2, cells: ['a', 'b'] },
    ]);
  });

  it('each has the line on which it begins, however lines end, within cells too', async () => {
    const lines = async (text: string, format?: CsvFormat) => (await recordsOf(text, format)).map(({ line }) => line);
    expect(await lines('a\n"b\nb"\nc\n\nd')).toEqual([1, 2, 4, 6]);
    expect(await lines('a\r\n"b\r\nb\r\n"\r\nc\r\n\r\nd')).toEqual([1, 2, 5, 7]);
    expect(await lines('a\r"b\r\rb"\rc\r\rd')).toEqual([1, 2, 5, 7]);
    expect(await lines('"a\\\r\n\\\n\\\r"\nb', { ...COMMA, escapedBy: '\\' })).toEqual([1, 5]);
  });

  it('one with an unclosed quotation mark, or longer than 4 MiB, is refused with the line on which it begins', async () => {
    await expect(recordsOf('a\nb,"c\nd\n')).rejects.toThrow(
      expect.objectContaining({ line: 2, message: 'a quotation mark is never closed' }),
    );
    await expect(recordsOf(`a\n"${'x'.repeat(5_000_000)}`)).rejects.toThrow(
      expect.objectContaining({ line: 2, message: expect.stringContaining('longer than 4 MiB') }),
    );
    await expect(recordsOf(`a\n${'x'.repeat(5_000_000)}\nb\n`)).rejects.toThrow('longer than 4 MiB');
  });

  it('an error of the text is thrown', async () => {
    async function* cutOff() {
      yield 'a\nb';
      throw new Error('cut off');
    }
    await expect(Array.fromAsync(csvRecords(cutOff(), COMMA))).rejects.toThrow('cut off');
  });
});

describe('any text', () => {
  const texts = array(constantFrom('a', 'bc', ' ', ',', ';', '"', '""', '\\', '\n', '\r', '\r\n', 'é'), { maxLength: 24 }).map((parts) =>
    parts.join(''),
  );
  const formats = constantFrom<CsvFormat>(COMMA, { ...COMMA, delimiter: ';' }, { ...COMMA, escapedBy: '\\' });

  const outcome = (chunks: readonly string[], format: CsvFormat) =>
    Array.fromAsync(csvRecords(chunks, format)).catch((error: unknown): 'refused' => {
      if (error instanceof CsvSyntaxError) return 'refused';
      throw error;
    });

  it('gives the same records and lines in parts, wherever it is cut', async () => {
    const cut = (text: string, size: number) =>
      Array.from({ length: Math.ceil(text.length / size) }, (_, part) => text.slice(part * size, (part + 1) * size));
    await assert(
      asyncProperty(texts, formats, integer({ min: 1, max: 5 }), async (text, format, size) => {
        expect(await outcome(cut(text, size), format)).toEqual(await outcome([text], format));
      }),
      { numRuns: 500 },
    );
  });

  it('gives records that begin on the lines on which their first cells are found', async () => {
    await assert(
      asyncProperty(texts, formats, async (text, format) => {
        const records = await outcome([text], format);
        if (records === 'refused') return;
        const lines = text.split(/\r\n|\n|\r/);
        for (const { line, cells } of records) {
          const begin = lines.slice(line - 1).join('\n');
          const [first = ''] = cells;
          expect(begin.replaceAll(/["\\]/g, '').startsWith(first.replaceAll(/\r\n|\r/g, '\n').replaceAll(/["\\]/g, ''))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
