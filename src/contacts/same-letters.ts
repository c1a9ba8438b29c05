import { join, type Sql, sql } from '../db/statement.ts';

/**
 * Letters with two lower-case forms and one upper-case form: σ and ς (at the end of Greek words), and ß and ss (both SS). Without the flag `i`,
 * with which ſ would count as an s: the database tells them apart.
 */
const TWO_FORMS = /([Σσς]|[ßẞ]|[sS]{2})/u;

/** True if the text has such letters. */
export const hasTwoForms = (text: string): boolean => TWO_FORMS.test(text);

/**
 * Maps the two forms of each letter to one. The database changes the case, because JavaScript does so differently for some letters, such as
 * the dotted capital I.
 */
const folded = (text: Sql): Sql => sql`replace(translate(lower(${text}), 'ς', 'σ'), 'ß', 'ss')`;

/** Condition: the text equals the other one, ignoring case; `text` must not be null. */
export const equalsIgnoringCase = (text: Sql, other: string): Sql =>
  hasTwoForms(other) ? sql`${folded(text)} = ${folded(sql`${other}`)}` : sql`lower(${text}) = lower(${other})`;

/** Condition: the text matches a LIKE pattern, ignoring case; `text` must not be null. */
export const likeIgnoringCase = (text: Sql, pattern: string): Sql =>
  hasTwoForms(pattern) ? sql`${folded(text)} like ${folded(sql`${pattern}`)}` : sql`lower(${text}) like lower(${pattern})`;

/** Maximum number of forms of a text that are looked up. A text with more forms has enough other letters. */
const MAX_FORMS = 8;

/**
 * Condition for a trigram index of `lower(text)`: true for every text that meets `likeIgnoringCase`, and for few others. Looks up each form
 * separately: with a wildcard instead, "Ross" would leave two letters, and every text would have to be read.
 */
export function roughlyLike(text: Sql, pattern: string): Sql {
  const conditions = formsOf(pattern).map((form) => sql`lower(${text}) like lower(${form})`);
  return sql`(${join(conditions, ' or ')})`;
}

/** Returns the variants of the pattern with each form of its letters. */
function formsOf(pattern: string): string[] {
  let forms = [''];
  for (const part of pattern.split(TWO_FORMS)) {
    const letter = formsOfLetter(part);
    const choices = letter === undefined ? [part] : forms.length < MAX_FORMS ? letter.forms : [letter.either];
    forms = forms.flatMap((form) => choices.map((choice) => form + choice));
  }
  return forms;
}

/** Returns the forms of a letter, and a pattern for either; undefined for other text. */
function formsOfLetter(text: string): { forms: string[]; either: string } | undefined {
  if (/^[Σσς]$/u.test(text)) return { forms: ['σ', 'ς'], either: '_' };
  return /^(?:[ßẞ]|[sS]{2})$/u.test(text) ? { forms: ['ß', 'ss'], either: '%' } : undefined;
}
