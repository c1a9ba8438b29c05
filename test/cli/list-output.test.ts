import { describe, expect, it } from 'vitest';
import { columnsOf, csv, readAfter, readList } from '../../src/cli/list-output.ts';

const ROWS = Array.from({ length: 450 }, (_, index) => ({ id: index + 1, name: `Row ${index + 1}` }));

/** Returns a reader of a list that the API paginates, and the requested pages. */
function paginated() {
  const asked: { limit: number; offset: number }[] = [];
  const read = async (page: { limit: number; offset: number }) => {
    asked.push(page);
    return { data: ROWS.slice(page.offset, page.offset + page.limit), pagination: { total: ROWS.length } };
  };
  return { asked, read };
}

describe('reading a list', () => {
  it('reads as many rows as --limit, in pages that the API serves', async () => {
    const { asked, read } = paginated();
    expect(await readList({ all: false, limit: 250 }, read)).toEqual({ rows: ROWS.slice(0, 250), total: 450 });
    expect(asked).toEqual([
      { limit: 200, offset: 0 },
      { limit: 50, offset: 200 },
    ]);
  });

  it('reads every row with --all', async () => {
    const { asked, read } = paginated();
    expect((await readList({ all: true, limit: 50 }, read)).rows).toEqual(ROWS);
    expect(asked.map(({ offset }) => offset)).toEqual([0, 200, 400]);
  });

  it('cuts a list that the API serves whole', async () => {
    expect(await readList({ all: false, limit: 3 }, async () => ({ data: ROWS }))).toEqual({ rows: ROWS.slice(0, 3), total: 450 });
  });

  it.each([
    { limit: 449, total: null, says: 'there are more' },
    { limit: 450, total: 450, says: 'all are shown' },
  ])('that is not counted tells at $limit of 450 that $says', async ({ limit, total }) => {
    const read = readAfter(async (page) => ({ data: ROWS.slice(page.before ?? 0, (page.before ?? 0) + page.limit) }));
    expect(await readList({ all: false, limit }, read)).toEqual({ rows: ROWS.slice(0, limit), total });
  });

  it('ends when rows go away meanwhile', async () => {
    const read = async ({ offset }: { offset: number }) => ({ data: offset === 0 ? ROWS.slice(0, 10) : [], pagination: { total: 20 } });
    expect((await readList({ all: true, limit: 50 }, read)).rows).toHaveLength(10);
  });
});

describe('columns', () => {
  it('are the usual ones, or those of --columns in their order, any field among them', () => {
    expect(columnsOf({ columns: undefined }, ['id'], ROWS)).toEqual(['id']);
    expect(columnsOf({ columns: 'name, id' }, ['id'], ROWS)).toEqual(['name', 'id']);
  });

  it('that no row has are refused with the nearest one', () => {
    expect(() => columnsOf({ columns: 'nmae' }, ['id'], ROWS)).toThrow(
      '--columns: unknown column "nmae" (did you mean name?); the columns are: id, name',
    );
  });
});

describe('CSV', () => {
  it('quotes as RFC 4180 does, with a header row', () => {
    const rows = [
      { a: 'x, "y"', b: null, c: true },
      { a: 'two\nlines', b: 1.5, c: [1, 2] },
    ];
    expect(csv(rows, ['a', 'b', 'c'])).toBe('a,b,c\n"x, ""y""",,true\n"two\nlines",1.5,"[1,2]"');
  });

  it('holds nothing that a spreadsheet would evaluate', () => {
    expect(csv([{ name: '=1+1' }], ['name'])).toBe("name\n'=1+1");
  });
});
