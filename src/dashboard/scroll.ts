/** The index of the first row that is shown: the selected one is in the middle if not all rows fit. */
export const firstVisible = (selected: number, total: number, visible: number): number =>
  Math.max(0, Math.min(selected - Math.floor(visible / 2), total - visible));

/** The index of the first line of a text that is shown, at most so far that its last lines fill the screen. */
export const firstLine = (scroll: number, total: number, visible: number): number => Math.max(0, Math.min(scroll, total - visible));

/** The line that says which lines of a text are shown: `── lines 1 to 20 of 54`; only the rule if all are. */
export const positionText = (first: number, total: number, visible: number): string =>
  total > visible ? `── lines ${first + 1} to ${Math.min(first + visible, total)} of ${total}` : '──';
