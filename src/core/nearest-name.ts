import { closest, distance } from 'fastest-levenshtein';

/** A name with more edits, or with more than half of its letters wrong, is another word and not a misspelling. */
const MAX_EDITS = 3;
const MAX_SHARE = 0.5;

/** Returns the known name nearest to a misspelt one, if one is near enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const found = closest(name, known);
  return distance(name, found) > Math.min(MAX_EDITS, name.length * MAX_SHARE) ? undefined : found;
}

/** Returns ` (did you mean NAME?)` with the known name nearest to a misspelt one; empty if none is near enough. */
export function nearest(name: string, known: Iterable<string>): string {
  const found = nearestName(name, [...known]);
  return found === undefined ? '' : ` (did you mean ${found}?)`;
}
