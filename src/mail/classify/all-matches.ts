/**
 * Every match of an expression with the flag `g` that never matches an empty text. Like `matchAll()`, but that makes a copy of the
 * expression each time, which of a long one costs more than the search.
 */
export function allMatches(expression: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) found.push(match);
  return found;
}
