/**
 * Returns the index of the first line whose start matches an expression with the flag `y`, or -1. `search()` with `^` and the flag `m`
 * would test every character for the start of a line.
 */
export function firstLine(text: string, expression: RegExp): number {
  for (let start = 0; ; ) {
    expression.lastIndex = start;
    if (expression.test(text)) return start;
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return -1;
  }
}
