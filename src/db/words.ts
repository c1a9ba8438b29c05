import { raw, type Sql } from './statement.ts';

/**
 * The column holds one of these words. They stand in the text, not in a parameter, so that the planner can use an index of
 * the rows that hold one of them: give it words of the program alone, those of a union of states.
 */
export const isOneOf = (column: string, words: readonly string[]): Sql =>
  raw(words.length === 1 ? `${column} = '${words[0]}'` : `${column} in (${words.map((word) => `'${word}'`).join(', ')})`);
