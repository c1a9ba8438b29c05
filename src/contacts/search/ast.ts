/** A search query as it was written, before any of its fields is known. */
export type Query = Group | Not | Text | Term;

/** Operands joined by AND or OR; two or more. */
export interface Group {
  kind: 'and' | 'or';
  operands: Query[];
}

export interface Not {
  kind: 'not';
  operand: Query;
}

/** Words without a field, looked for in name, address and company. */
export interface Text {
  kind: 'text';
  scalar: Scalar;
}

/** `field:value,value`: the field has one of the values. */
export interface Term {
  kind: 'term';
  /** In lower case. */
  field: string;
  /** Where the field's name begins, counted in characters from 1. */
  position: number;
  values: Value[];
}

export type Value = Comparison | Range;

export interface Comparison {
  kind: 'comparison';
  /** Empty when none was written. */
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

/** One written value; the text is empty where a value should have been. */
export interface Scalar {
  text: string;
  /** Quoted text stands for itself: no wildcards, no `none`, no `me`. */
  isQuoted: boolean;
}
