/**
 * Index of the first line at whose start an expression with the flag `y` matches, or -1. Like `search()` for `^` and the flag `m`, but that
 * asks of each character whether a line begins there.
 */
export function firstLine(text: string, expression: RegExp): number {
  for (let start = 0; ; ) {
    expression.lastIndex = start;
    if (expression.test(text)) return start;
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return -1;
  }
}
