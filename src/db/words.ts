import { raw, type Sql } from './statement.ts';

/**
 * Builds the condition that the column has one of these words. They are part of the text, not parameters, so that the planner can use a
 * partial index of the rows that have one of them. Pass only words of the program, such as the states of a union type.
 */
export const isOneOf = (column: string, words: readonly string[]): Sql =>
  raw(words.length === 1 ? `${column} = '${words[0]}'` : `${column} in (${words.map((word) => `'${word}'`).join(', ')})`);
