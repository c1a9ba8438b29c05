import { describe, expect, it } from 'vitest';
import { countedRows } from '../../src/cli/counted-rows.ts';

async function count(format: 'csv' | 'ndjson', ...pieces: string[]): Promise<[rows: number, text: string]> {
  let rows = 0;
  let text = '';
  const source = (async function* () {
    yield* pieces;
  })();
  for await (const piece of countedRows(source, format, (told) => {
    rows = told;
  }))
    text += piece;
  expect(text).toBe(pieces.join(''));
  return [rows, text];
}

describe('the rows of an export', () => {
  it.each([
    ['csv', 0, ['id,email\r\n']],
    ['csv', 2, ['id,email\r\n1,a@x.example\r\n', '2,b@x.example\r\n']],
    ['csv', 2, ['id,name\r\n1,"Ada\r\n""the', ' first""\r\n"\r\n2,b\r\n']],
    ['ndjson', 0, []],
    ['ndjson', 2, ['{"a":"\\n\\""}\n', '{"b":1}\n']],
  ] as const)('%s with %i', async (format, rows, pieces) => {
    expect((await count(format, ...pieces))[0]).toBe(rows);
  });
});
