/** The rank of a column without any value: it is left out before a text is cut. */
export const RANK_OF_EMPTY = 9;

/** A column of a table before its width is known. Widths are columns of the terminal. */
export interface ColumnSize {
  /** The width of its longest cell. */
  natural: number;
  /** The width that it needs at least; the same as `natural` where a cut cell would say nothing, as of a number. */
  least: number;
  /** Order in which columns are left out on a narrow terminal: the highest first, and of equals the last. */
  rank: number;
}

/**
 * The widths of the columns of a table, in their order, with a gap between two; null for a column that is left out: an empty one if
 * not everything fits, another if even the least widths don't. The rest of the width goes to columns below their natural width. One column always stays.
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
