/**
 * Yields the pieces of CSV (RFC 4180, with a header row) or JSON lines unchanged, and reports the number of records so far. A line break
 * inside quotes is part of a value.
 */
export async function* countedRows(
  pieces: AsyncIterable<string>,
  format: 'csv' | 'ndjson',
  tell: (rows: number) => void,
): AsyncGenerator<string> {
  let rows = format === 'csv' ? -1 : 0;
  let isQuoted = false;
  for await (const piece of pieces) {
    for (const [sign] of piece.matchAll(format === 'csv' ? /["\n]/g : /\n/g)) {
      if (sign === '"') isQuoted = !isQuoted;
      else if (!isQuoted) rows++;
    }
    tell(Math.max(0, rows));
    yield piece;
  }
}
