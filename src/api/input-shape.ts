import { grouped } from '../core/english.ts';
import { invalid } from '../core/errors.ts';
import { fieldName } from '../fields/issues.ts';

const MAX_DEPTH = 20;

/**
 * Checks the limits of every input before its schema is applied: at most 20 levels, 10,000 items an array and 1,000
 * fields an object, no NUL (PostgreSQL can't store it), no key that could change a prototype. Throws `invalid_request`.
 */
export function checkShape(value: object, path: readonly PropertyKey[] = []): void {
  if (path.length >= MAX_DEPTH) throw invalid(`${fieldName(path.slice(0, 1))}: the body is nested more than ${MAX_DEPTH} levels deep`);
  const [count, max, unit] = Array.isArray(value) ? [value.length, 10_000, 'items'] : [Object.keys(value).length, 1_000, 'fields'];
  if (count > max) throw invalid(`${path.length === 0 ? 'the body' : fieldName(path)}: at most ${grouped(max)} ${unit}`);
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw invalid(`unknown field "${key}"`);
    const field = [...path, Array.isArray(value) ? Number(key) : key];
    if (typeof inner === 'string' && inner.includes('\0')) throw invalid(`${fieldName(field)}: must not contain NUL`);
    if (typeof inner === 'object' && inner !== null) checkShape(inner, field);
  }
}
