/** Syntax tree of a search query; field names and values are not checked yet. */
export type Query = Group | Not | Text | Term;

/** Operands joined by AND or OR; two or more. */
interface Group {
  kind: 'and' | 'or';
  operands: Query[];
}

interface Not {
  kind: 'not';
  operand: Query;
}

/** Text without a field, searched for in name, address and company. */
interface Text {
  kind: 'text';
  scalar: Scalar;
}

/** `field:value,value`: the field has one of the values. */
export interface Term {
  kind: 'term';
  /** In lower case. */
  field: string;
  /** Position of the field's name in the query, in characters from 1. */
  position: number;
  values: Value[];
}

export type Value = Comparison | Range;

export interface Comparison {
  kind: 'comparison';
  /** Empty without an operator. */
  operator: Operator | '';
  scalar: Scalar;
}

/** `from..to`, both ends included. */
export interface Range {
  kind: 'range';
  from: Scalar;
  to: Scalar;
}

export type Operator = '=' | '>' | '>=' | '<' | '<=';

/** One value; its text is empty if it is missing. */
export interface Scalar {
  text: string;
  /** Quoted text is literal: no wildcards, no `none`, no `me`. */
  isQuoted: boolean;
}
