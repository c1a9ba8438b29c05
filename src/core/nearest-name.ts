import { closest, distance } from 'fastest-levenshtein';

/** With more edits, or more than half of its letters wrong, it is another word and not a misspelling. */
const MAX_EDITS = 3;
const MAX_SHARE = 0.5;

/** The known name that is nearest to a misspelt one, if one is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const found = closest(name, known);
  return distance(name, found) > Math.min(MAX_EDITS, name.length * MAX_SHARE) ? undefined : found;
}

/** ` (did you mean NAME?)` for the known name that is nearest to a misspelt one; empty if none is near. */
export function nearest(name: string, known: Iterable<string>): string {
  const found = nearestName(name, [...known]);
  return found === undefined ? '' : ` (did you mean ${found}?)`;
}
