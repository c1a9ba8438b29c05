import { invalid } from '../../core/errors.ts';

export type TokenKind = '(' | ')' | '-' | 'AND' | 'OR' | 'NOT' | 'field' | 'operator' | 'quoted' | 'bare' | '..' | ',';

export interface Token {
  kind: TokenKind;
  /** Text of the token: a field without its colon, quoted text without quotes and escapes. */
  text: string;
  /** Position in the query, in characters from 1. */
  position: number;
  /** True if it follows another token without white space. */
  isAdjacent: boolean;
}

type Match = Pick<Token, 'kind' | 'text'> & { length: number };

const SPACE = /\s+/y;
const WORD = /[^\s()"]+/y;
const KEYWORD = /^(?:AND|OR|NOT)$/;
/** A word is a field if it begins with a letter and has a colon; `http://x` is a URL and `12:30` a time. */
const FIELD = /(\p{L}[\p{L}\p{N}_.-]*):(?!\/\/)/uy;
const OPERATOR = />=|<=|[>=<]/y;
/** Unquoted part of a value; two dots end it, because they form a range. */
const BARE_VALUE = /(?:(?!\.\.)[^\s(),"])+/y;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y;

/**
 * Splits a query into tokens. Within a value, from the colon of a field to the next white space or parenthesis, commas, two
 * dots and comparison operators are tokens too. Throws `invalid_request` for an unterminated quote.
 */
export function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  let inValue = false;
  for (let at = 0; at < query.length; ) {
    const space = matchAt(SPACE, query, at)?.[0].length ?? 0;
    if (space > 0) {
      at += space;
      inValue = false;
      continue;
    }
    const previous = tokens.at(-1);
    const isValueStart = previous?.kind === 'field' || previous?.kind === ',';
    const found = (inValue ? valueToken(query, at, isValueStart) : undefined) ?? queryToken(query, at);
    const isAdjacent = at > 0 && !isSpace(query, at - 1);
    tokens.push({ kind: found.kind, text: found.text, position: positionOf(query, at), isAdjacent });
    if (found.kind === 'field') inValue = true;
    if (found.kind === '(' || found.kind === ')') inValue = false;
    at += found.length;
  }
  return tokens;
}

function queryToken(query: string, at: number): Match {
  const character = query[at];
  if (character === '(' || character === ')' || character === '-') return { kind: character, text: character, length: 1 };
  if (character === '"') return quotedToken(query, at);
  const field = matchAt(FIELD, query, at);
  if (field !== null) return { kind: 'field', text: field[1] ?? '', length: field[0].length };
  const word = matchAt(WORD, query, at)?.[0] ?? '';
  return { kind: KEYWORD.test(word) ? (word as TokenKind) : 'bare', text: word, length: word.length };
}

/** Reads a token of a value; undefined for a parenthesis, which ends the value. */
function valueToken(query: string, at: number, isValueStart: boolean): Match | undefined {
  if (query[at] === '"') return quotedToken(query, at);
  if (query[at] === ',') return { kind: ',', text: ',', length: 1 };
  if (query.startsWith('..', at)) return { kind: '..', text: '..', length: 2 };
  const operator = isValueStart ? matchAt(OPERATOR, query, at)?.[0] : undefined;
  if (operator !== undefined) return { kind: 'operator', text: operator, length: operator.length };
  const bare = matchAt(BARE_VALUE, query, at)?.[0];
  return bare === undefined ? undefined : { kind: 'bare', text: bare, length: bare.length };
}

function quotedToken(query: string, at: number): Match {
  const found = matchAt(QUOTED, query, at);
  if (found === null) throw invalid(`unterminated quote at position ${positionOf(query, at)}`);
  return { kind: 'quoted', text: (found[1] ?? '').replaceAll(/\\(["\\])/g, '$1'), length: found[0].length };
}

function matchAt(pattern: RegExp, query: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(query);
}

const isSpace = (query: string, at: number) => /\s/.test(query[at] ?? '');

/** Position in characters (code points), not in UTF-16 units. */
const positionOf = (query: string, at: number) => [...query.slice(0, at)].length + 1;
