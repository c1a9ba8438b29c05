/**
 * Returns every match of an expression with the flag `g` that never matches the empty string. `matchAll()` would copy the expression each
 * time, which takes longer than the search if the expression is long.
 */
export function allMatches(expression: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) found.push(match);
  return found;
}
