import { invalid } from '../../core/errors.ts';
import type { Comparison, Operator, Query, Scalar, Term, Value } from './ast.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';

const MAX_LENGTH = 1_000;
const MAX_TERMS = 50;
const EMPTY_SCALAR: Scalar = { text: '', isQuoted: false };

/**
 * Parses a query: `OR` binds weakest, then `AND` or white space, then `-` and `NOT`. Fields and values are checked later.
 * Throws `invalid_request` with the syntax error and its position.
 */
export function parse(text: string): Query {
  if ([...text].length > MAX_LENGTH) throw invalid('query is longer than 1000 characters');
  if (text.includes('\0')) throw invalid('query contains a NUL character');
  if (text.trim() === '') throw invalid('query is empty');
  return new Parser(tokenize(text)).parse();
}

class Parser {
  readonly #tokens: Token[];
  #next = 0;
  #terms = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  parse(): Query {
    const query = this.#or();
    const rest = this.#peek();
    if (rest !== undefined) throw unbalanced(rest);
    return query;
  }

  #or(): Query {
    const operands = [this.#and()];
    for (let or = this.#take('OR'); or !== undefined; or = this.#take('OR')) {
      if (!this.#startsOperand()) throw dangling(or);
      operands.push(this.#and());
    }
    return group('or', operands);
  }

  #and(): Query {
    const operands = [this.#unary()];
    for (;;) {
      const and = this.#take('AND');
      if (and !== undefined && !this.#startsOperand()) throw dangling(and);
      const token = this.#peek();
      if (token === undefined || !this.#startsOperand()) return group('and', operands);
      if (and === undefined && token.isAdjacent) throw invalid(`missing space at position ${token.position}`);
      operands.push(this.#unary());
    }
  }

  #unary(): Query {
    const not = this.#take('NOT', '-');
    if (not === undefined) return this.#primary();
    const touches = not.kind === 'NOT' || this.#peek()?.isAdjacent === true;
    if (!touches || !this.#startsOperand()) throw dangling(not);
    return { kind: 'not', operand: this.#unary() };
  }

  #primary(): Query {
    const token = this.#peek();
    if (token === undefined || !this.#startsOperand()) throw misplaced(token);
    this.#next++;
    if (token.kind === '(') return this.#parenthesised(token);
    if (++this.#terms > MAX_TERMS) throw invalid('more than 50 terms');
    if (token.kind === 'field') return this.#term(token);
    if (token.text === '') throw invalid(`empty text at position ${token.position}`);
    return { kind: 'text', scalar: { text: token.text, isQuoted: token.kind === 'quoted' } };
  }

  #parenthesised(opening: Token): Query {
    if (this.#peek()?.kind === ')') throw invalid(`empty parentheses at position ${opening.position}`);
    if (this.#peek() === undefined) throw unbalanced(opening);
    const query = this.#or();
    if (this.#take(')') === undefined) throw unbalanced(opening);
    return query;
  }

  #term(field: Token): Term {
    const values = [this.#value()];
    while (this.#takeAdjacent(',') !== undefined) values.push(this.#value());
    const next = this.#peek();
    if (next?.kind === '(' && next.isAdjacent && isEmpty(values.at(-1))) throw invalid(`empty value for ${field.text.toLowerCase()}`);
    return { kind: 'term', field: field.text.toLowerCase(), position: field.position, values };
  }

  #value(): Value {
    const operator = this.#takeAdjacent('operator');
    const scalar = this.#scalar();
    const range = this.#takeAdjacent('..');
    if (range === undefined) return comparison((operator?.text ?? '') as Operator | '', scalar);
    if (operator !== undefined) throw invalid(`a range takes no operator, at position ${operator.position}`);
    return { kind: 'range', from: scalar, to: this.#scalar() };
  }

  #scalar(): Scalar {
    const token = this.#takeAdjacent('quoted', 'bare');
    return token === undefined ? EMPTY_SCALAR : { text: token.text, isQuoted: token.kind === 'quoted' };
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #take(...kinds: TokenKind[]): Token | undefined {
    const token = this.#peek();
    if (token === undefined || !kinds.includes(token.kind)) return undefined;
    this.#next++;
    return token;
  }

  /** Takes the next token if it follows without white space, as the parts of a value do. */
  #takeAdjacent(...kinds: TokenKind[]): Token | undefined {
    return this.#peek()?.isAdjacent === true ? this.#take(...kinds) : undefined;
  }

  #startsOperand(): boolean {
    const kind = this.#peek()?.kind;
    return kind !== undefined && kind !== ')' && kind !== 'AND' && kind !== 'OR';
  }
}

const group = (kind: 'and' | 'or', operands: Query[]): Query => {
  const [only, second] = operands;
  return only !== undefined && second === undefined ? only : { kind, operands };
};

const comparison = (operator: Operator | '', scalar: Scalar): Comparison => ({ kind: 'comparison', operator, scalar });

const isEmpty = (value: Value | undefined) => value?.kind === 'comparison' && value.scalar === EMPTY_SCALAR;

const dangling = (token: Token) => invalid(`dangling ${token.text} at position ${token.position}`);
const unbalanced = (token: Token) => invalid(`unbalanced parenthesis at position ${token.position}`);

/** The error for a token that cannot begin an operand. */
const misplaced = (token: Token | undefined) =>
  token === undefined ? invalid('query is empty') : token.kind === ')' ? unbalanced(token) : dangling(token);
