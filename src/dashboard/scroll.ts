/** Returns the index of the first visible row: the selected one is in the middle if not all rows fit. */
export const firstVisible = (selected: number, total: number, visible: number): number =>
  Math.max(0, Math.min(selected - Math.floor(visible / 2), total - visible));

/** Returns the index of the first visible line of a text. A text scrolls no further than until its last lines fill the screen. */
export const firstLine = (scroll: number, total: number, visible: number): number => Math.max(0, Math.min(scroll, total - visible));

/** Returns a line with the visible range of a text: `── lines 1 to 20 of 54`; only the rule if all lines are visible. */
export const positionText = (first: number, total: number, visible: number): string =>
  total > visible ? `── lines ${first + 1} to ${Math.min(first + visible, total)} of ${total}` : '──';
