import { cellText, EMPTY } from './cell.ts';
import { columnOf } from './column.ts';
import { fitColumns, RANK_OF_EMPTY } from './fit-columns.ts';
import { paint, plainScreen, type Screen } from './screen.ts';
import { fill, textWidth } from './text-width.ts';

const GAP = 2;
/** The minimum width of a text on a narrow terminal. */
const MIN_TEXT_WIDTH = 12;
/** The minimum width of an address. It is larger because an address identifies a row. */
const MIN_ADDRESS_WIDTH = 22;

/**
 * Formats rows as an aligned table, one line each, with words as headings and `-` for an empty value. On a terminal the table fits the
 * width: texts are truncated, then the least important columns are left out. Elsewhere it is complete.
 * @param columns names of fields, whose looks `columnOf` returns
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
    // Do not spread the rows into `Math.max`: `--all` may print more rows than a call can take arguments.
    const natural = [headings, ...lines].reduce((widest, line) => Math.max(widest, textWidth(line[index] ?? '')), 0);
    const least = look.canShrink ? Math.min(look.isAddress ? MIN_ADDRESS_WIDTH : MIN_TEXT_WIDTH, natural) : natural;
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

/** True for a column whose times are shown exactly, not as ages. Its heading then names the zone. */
function isExactTime(name: string, rows: readonly object[], { isExact }: Screen): boolean {
  return isExact && columnOf(name).isTime && rows.some((row) => (row as Record<string, unknown>)[name] != null);
}
