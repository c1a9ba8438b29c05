import { type Sql, sql } from '../db/statement.ts';

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

/** Condition for an index on `lower(text)`: true for whatever text `likeIgnoringCase` is true for, and for few others. */
export const roughlyLike = (text: Sql, pattern: string): Sql =>
  sql`lower(${text}) like lower(${pattern.replaceAll(TWO_FORMS, (letter) => (/[σς]/iu.test(letter) ? '_' : '%'))})`;
