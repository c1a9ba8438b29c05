/** The rank of a column without any values. It is left out before any text is truncated. */
export const RANK_OF_EMPTY = 9;

/** A column of a table before its width is known. Widths are in character cells of the terminal. */
export interface ColumnSize {
  /** The width of its longest cell. */
  natural: number;
  /** Its minimum width; the same as `natural` if a truncated cell would mean nothing, such as a number. */
  least: number;
  /** On a narrow terminal, columns with the highest rank are left out first; among equals, the last one. */
  rank: number;
}

/**
 * Returns the widths of the columns of a table, in order, with a gap between two; null for a column that is left out. Empty columns are
 * left out if the natural widths don't fit, others if even the minimum widths don't fit. The remaining width goes to columns below their
 * natural width. At least one column stays.
 */
export function fitColumns(columns: readonly ColumnSize[], width: number, gap: number): (number | null)[] {
  let shown = columns.map((column, index) => ({ ...column, least: Math.min(column.least, column.natural), index }));
  const needed = () => shown.reduce((sum, { least }) => sum + least + gap, -gap);
  const wanted = () => shown.reduce((sum, { natural }) => sum + natural + gap, -gap);
  const last = () => shown.toSorted((a, b) => b.rank - a.rank || b.index - a.index)[0];
  const isTooWide = () => needed() > width || (wanted() > width && last()?.rank === RANK_OF_EMPTY);
  while (isTooWide() && shown.length > 1) {
    const dropped = last();
    shown = shown.filter((column) => column !== dropped);
  }
  const widths = columns.map((): number | null => null);
  for (const { index, least } of shown) widths[index] = Math.min(least, width);
  let rest = width - needed();
  for (;;) {
    const narrowed = shown.filter(({ index, natural }) => (widths[index] ?? 0) < natural);
    if (narrowed.length === 0 || rest <= 0) return widths;
    const share = Math.max(1, Math.floor(rest / narrowed.length));
    for (const { index, natural } of narrowed) {
      const more = Math.min(share, rest, natural - (widths[index] ?? 0));
      widths[index] = (widths[index] ?? 0) + more;
      rest -= more;
    }
  }
}
