import { closest, distance } from 'fastest-levenshtein';

/** With more edits it is another word, not a misspelling. */
const MAX_EDITS = 3;

/** ` (did you mean NAME?)` for the known name that is nearest to a misspelt one; empty if none is near. */
export function nearest(name: string, known: Iterable<string>): string {
  const found = closest(name, [...known]);
  return distance(name, found) > MAX_EDITS ? '' : ` (did you mean ${found}?)`;
}
