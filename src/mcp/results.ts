import { randomBytes } from 'node:crypto';
import type { Schema } from './schema.ts';
import { MAX_CHARACTERS, shortened } from './shorten.ts';
import { markStrangers } from './strangers.ts';

/** The result of a call, in the form of the protocol. */
export interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

const text = (line: string) => ({ type: 'text' as const, text: line });

/** Returns the result of a call that was refused or failed, for the model to read and to act on. */
export const failure = (message: string): ToolResult => ({ content: [text(message)], isError: true });

/**
 * Returns the result of a call: notes for the model, then the value as JSON, shortened if needed and with untrusted texts marked.
 * @param schema of the value; undefined for a procedure without a result
 * @param offset of the requested page
 */
export function success(value: unknown, schema: Schema | undefined, offset: number): ToolResult {
  if (schema === undefined) return { content: [text('Done.')] };
  const fitting = shortened(value, offset);
  if (fitting === undefined)
    return failure(`the result is longer than ${MAX_CHARACTERS} characters; ask for less, with a lower limit or another filter`);
  const marked = markStrangers(fitting.value, schema, randomBytes(4).toString('hex'));
  const notes = [fitting.note, marked.note].filter((note) => note !== null);
  return {
    content: [...notes, JSON.stringify(marked.value)].map(text),
    structuredContent: marked.value as Record<string, unknown>,
  };
}
