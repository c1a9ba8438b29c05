import { randomBytes } from 'node:crypto';
import { type ErrorCode, messageOf, OutreachError } from '../core/errors.ts';
import type { Call } from './call.ts';
import { consequenceOf } from './consequences.ts';
import { failure, success, type ToolResult } from './results.ts';
import type { Schema } from './schema.ts';
import { hasCuts } from './shorten.ts';
import { hasMarks, markStrangers } from './strangers.ts';
import { PAGE_SIZE, type Tool } from './tools.ts';

/**
 * Calls a tool. Errors become results with the API's message, so that the model can correct its call.
 * @param locked why nothing may be changed; null if it may
 */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  call: Call,
  locked: string | null,
): Promise<ToolResult> {
  const { operation, annotations } = tool;
  const { confirm, ...input } = given;
  if (!annotations.readOnlyHint && locked !== null) return failure(`forbidden: ${tool.name} changes something, and ${locked}`);
  if (tool.input.properties?.confirm === undefined && confirm !== undefined)
    return failure(`invalid_request: ${tool.name} takes no confirm`);
  if (tool.confirm !== undefined && confirm !== true) return unconfirmed(tool.confirm);
  const missing = missingFrom(input, tool.input);
  if (missing !== undefined) return failure(`invalid_request: ${missing}`);
  const unfit = unfitness(input);
  if (!annotations.readOnlyHint && unfit !== null) return failure(`invalid_request: ${unfit}`);
  const paged = tool.input.properties?.limit !== undefined && input.limit === undefined ? { ...input, limit: PAGE_SIZE } : input;
  try {
    const consequence = tool.mayNeedConfirm && confirm !== true ? await consequenceOf(operation.procedure, input, call) : undefined;
    if (consequence !== undefined) return unconfirmed(consequence);
    const type = annotations.readOnlyHint ? 'query' : 'mutation';
    return success(await call(type, operation.procedure, paged), operation.output, Number(input.offset ?? 0));
  } catch (error) {
    if (!(error instanceof OutreachError)) return failure(messageOf(error));
    return failure(`${error.code}: ${mayQuote(error.code) ? marked(error.message) : error.message}`);
  }
}

const unconfirmed = (reason: string): ToolResult =>
  failure(`not confirmed: ${reason}. Nothing was done. Ask the person; if they agree, call again with confirm: true`);

/** Names a field that is missing or not an id. The API would look up the record first, and report that it was not found. */
function missingFrom(input: Readonly<Record<string, unknown>>, { required = [], properties = {} }: Schema): string | undefined {
  const absent = required.find((name) => input[name] === undefined);
  if (absent !== undefined) return `${absent}: is required`;
  const isId = (name: string) => properties[name]?.type === 'integer' && /(^|_)id$/.test(name);
  const malformed = Object.entries(input).find(([name, value]) => isId(name) && !/^[1-9]\d*$/.test(String(value)));
  return malformed && `${malformed[0]}: must be the number of a record`;
}

/** True for errors about what happened elsewhere, which may quote a mail server and so whoever runs it. */
const mayQuote = (code: ErrorCode): boolean => code === 'conflict' || code === 'internal_error';

/** Returns a message in the tags for untrusted text, with the note that explains them. */
function marked(message: string): string {
  const { value, note } = markStrangers(message, { 'x-untrusted': true }, randomBytes(4).toString('hex'));
  return `${value}\n${note}`;
}

/** Returns the reason why an input must not be stored or sent: it contains marks that only results contain. Null if it has none. */
function unfitness(input: object): string | null {
  if (hasCuts(input)) return 'a text was cut in the result it was taken from, and would be lost; leave the field out';
  if (hasMarks(input)) return 'remove the tags of untrusted text; they are only part of results';
  return null;
}
