/** Maximum number of characters of JSON in a result; about 10,000 tokens. */
export const MAX_CHARACTERS = 40_000;
/** Maximum number of characters of one text in it. */
const MAX_TEXT = 8_000;
const CUT_MARK = '[cut by Outreach:';

/** A value that fits, and a note about rows that were left out, or null. */
export interface Shortened<Value> {
  value: Value;
  note: string | null;
}

/**
 * Shortens a value for a model: cuts long texts, and keeps as many rows of a page as fit. Returns undefined if it is still too long.
 * @param offset of the page
 */
export function shortened<Value>(whole: Value, offset: number): Shortened<Value> | undefined {
  const value = withCutTexts(whole) as Value;
  if (lengthOf(value) <= MAX_CHARACTERS) return { value, note: null };
  const { data, ...rest } = (value ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  let left = MAX_CHARACTERS - lengthOf(rest) - '"data":[],'.length;
  const fitting = data.findIndex((row) => {
    left -= lengthOf(row) + 1;
    return left < 0;
  });
  if (fitting <= 0) return undefined;
  const note = `Only ${fitting} of the ${data.length} records fit. Ask for the next with offset ${offset + fitting}, if the tool takes one.`;
  return { value: { ...(value as object), data: data.slice(0, fitting) } as Value, note };
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

function withCutTexts(node: unknown): unknown {
  if (typeof node === 'string' && node.length > MAX_TEXT)
    return `${node.slice(0, MAX_TEXT).toWellFormed()} ${CUT_MARK} ${node.length - MAX_TEXT} more characters; do not write this text back]`;
  if (Array.isArray(node)) return node.map(withCutTexts);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, withCutTexts(inner)]));
}

/** True if any text in the value was cut here. */
export const hasCuts = (value: unknown): boolean => (JSON.stringify(value) ?? '').includes(CUT_MARK);
