import { join, type Sql, sql } from '../db/statement.ts';

/** Letters with two forms in lower case, of which capitals have one: σ and ς, which ends a word in Greek, and ß, whose capitals are SS. */
const TWO_FORMS = /[σς]|ß|ss/giu;

/** True for a text with such letters. */
export const hasTwoForms = (text: string): boolean => text.search(TWO_FORMS) >= 0;

/** The text with one form of each letter. The database folds it, because JavaScript folds some letters, as the dotted capital I, differently. */
const folded = (text: Sql): Sql => sql`replace(translate(lower(${text}), 'ς', 'σ'), 'ß', 'ss')`;

/** Condition: the text is the other one, ignoring case; `text` must not be null. */
export const equalsIgnoringCase = (text: Sql, other: string): Sql =>
  hasTwoForms(other) ? sql`${folded(text)} = ${folded(sql`${other}`)}` : sql`lower(${text}) = lower(${other})`;

/** Condition: the text matches a pattern of LIKE, ignoring case; `text` must not be null. */
export const likeIgnoringCase = (text: Sql, pattern: string): Sql =>
  hasTwoForms(pattern) ? sql`${folded(text)} like ${folded(sql`${pattern}`)}` : sql`lower(${text}) like lower(${pattern})`;

/** Most forms of a text that are looked up; one that has more forms has letters enough beside them. */
const MAX_FORMS = 8;

/**
 * Condition for an index of trigrams of `lower(text)`: true for whatever text `likeIgnoringCase` is true for, and for few others. Each form is
 * looked up: with a wildcard instead, "Ross" would leave two letters, and every text would have to be read.
 */
export function roughlyLike(text: Sql, pattern: string): Sql {
  const conditions = formsOf(pattern).map((form) => sql`lower(${text}) like lower(${form})`);
  return sql`(${join(conditions, ' or ')})`;
}

/** The pattern with each form of its letters. */
function formsOf(pattern: string): string[] {
  let forms = [''];
  for (const part of pattern.split(/([σς]|ß|ss)/iu)) {
    const letter = formsOfLetter(part);
    const choices = letter === undefined ? [part] : forms.length < MAX_FORMS ? letter.forms : [letter.either];
    forms = forms.flatMap((form) => choices.map((choice) => form + choice));
  }
  return forms;
}

/** The forms of a letter, and a pattern for either; undefined for other text. */
function formsOfLetter(text: string): { forms: string[]; either: string } | undefined {
  if (/^[σς]$/iu.test(text)) return { forms: ['σ', 'ς'], either: '_' };
  return /^(?:ß|ss)$/iu.test(text) ? { forms: ['ß', 'ss'], either: '%' } : undefined;
}
