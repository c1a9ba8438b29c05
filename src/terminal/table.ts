import { cellText, EMPTY } from './cell.ts';
import { columnOf } from './column.ts';
import { fitColumns, RANK_OF_EMPTY } from './fit-columns.ts';
import { paint, plainScreen, type Screen } from './screen.ts';
import { fill, textWidth } from './text-width.ts';

const GAP = 2;
/** Columns that a text needs on a narrow terminal, to say something. */
const LEAST = 12;
/** An address is what a row is known by. */
const LEAST_OF_ADDRESS = 22;

/**
 * Rows as an aligned table, one line each, with words as headings and `-` for an empty value. On a terminal it is as wide as that: the longest texts are cut, then the least
 * important columns are left out. Elsewhere nothing is.
 * @param columns names of fields, of which `columnOf` knows more
 */
export function table(rows: readonly object[], columns: readonly string[], screen: Screen = plainScreen()): string {
  if (rows.length === 0) return 'None.';
  const looks = columns.map((name) => columnOf(name));
  const lines = rows.map((row) => columns.map((name) => cellText(name, (row as Record<string, unknown>)[name], screen)));
  const headings = columns.map(
    (name, index) => `${looks[index]?.heading}${isExactTime(name, rows, screen) ? ` (${screen.timezone ?? 'UTC'})` : ''}`,
  );
  const isRight = columns.map((name) => columnOf(name).isNumber(rows));
  const sizes = looks.map((look, index) => {
    // Not by spreading the rows over `Math.max`: `--all` may print more of them than a call takes arguments.
    const natural = [headings, ...lines].reduce((widest, line) => Math.max(widest, textWidth(line[index] ?? '')), 0);
    const least = look.canShrink ? Math.min(look.isAddress ? LEAST_OF_ADDRESS : LEAST, natural) : natural;
    return { natural, least, rank: lines.every((line) => line[index] === EMPTY) ? RANK_OF_EMPTY : look.rank };
  });
  const widths = screen.width === null ? sizes.map(({ natural }) => natural) : fitColumns(sizes, screen.width, GAP);
  const lineOf = (cells: readonly string[], style: (text: string, index: number) => string) =>
    cells
      .flatMap((text, index) => {
        const width = widths[index];
        return width == null ? [] : [style(fill(text, width, isRight[index]), index)];
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [
    lineOf(headings, (text) => paint(text, 'bold', screen)),
    ...lines.map((line) => lineOf(line, (text, index) => paint(text, looks[index]?.colorOf(line[index] ?? ''), screen))),
  ].join('\n');
}

/** True for a column whose times are shown as such, not as ages: its heading then names the zone. */
function isExactTime(name: string, rows: readonly object[], { isExact }: Screen): boolean {
  return isExact && columnOf(name).isTime && rows.some((row) => (row as Record<string, unknown>)[name] != null);
}
