/** A column of a table before its width is known. Widths are columns of the terminal. */
export interface Wish {
  /** The width of its longest cell. */
  natural: number;
  /** The width that it needs at least; the same as `natural` where a cut cell would say nothing, as of a number. */
  least: number;
  /** Order in which columns are left out on a narrow terminal: the highest first, and of equals the last. */
  rank: number;
}

/**
 * The widths of the columns of a table, in their order, with a gap between two; null for a column that is left out because even the
 * least widths don't fit. What is left goes to those that have less than their natural width. One column always stays.
 */
export function fitColumns(wishes: readonly Wish[], width: number, gap: number): (number | null)[] {
  let shown = wishes.map((wish, index) => ({ ...wish, least: Math.min(wish.least, wish.natural), index }));
  const needed = () => shown.reduce((sum, { least }) => sum + least + gap, -gap);
  while (needed() > width && shown.length > 1) {
    const last = shown.toSorted((a, b) => b.rank - a.rank || b.index - a.index)[0];
    shown = shown.filter((wish) => wish !== last);
  }
  const widths = wishes.map((): number | null => null);
  for (const { index, least } of shown) widths[index] = Math.min(least, width);
  let rest = width - needed();
  for (;;) {
    const hungry = shown.filter(({ index, natural }) => (widths[index] ?? 0) < natural);
    if (hungry.length === 0 || rest <= 0) return widths;
    const share = Math.max(1, Math.floor(rest / hungry.length));
    for (const { index, natural } of hungry) {
      const more = Math.min(share, rest, natural - (widths[index] ?? 0));
      widths[index] = (widths[index] ?? 0) + more;
      rest -= more;
    }
  }
}
