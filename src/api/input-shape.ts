import { invalid } from '../core/errors.ts';
import { fieldName } from './input-refusal.ts';

const MAX_DEPTH = 20;

/**
 * Refuses nesting beyond 20 levels, NUL in text (PostgreSQL can't store it), keys that would change prototypes, and more
 * items or fields than any rule allows, each of which would be checked and complained of.
 */
export function checkShape(value: object, path: readonly PropertyKey[] = []): void {
  if (path.length >= MAX_DEPTH) throw invalid(`${fieldName(path.slice(0, 1))}: the body is nested more than ${MAX_DEPTH} levels deep`);
  const entries = Object.entries(value);
  const [most, what] = Array.isArray(value) ? [10_000, 'items'] : [1_000, 'fields'];
  if (entries.length > most)
    throw invalid(`${path.length === 0 ? 'the body' : fieldName(path)}: at most ${most.toLocaleString('en')} ${what}`);
  for (const [key, inner] of entries) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw invalid(`unknown field "${key}"`);
    const field = [...path, Array.isArray(value) ? Number(key) : key];
    if (typeof inner === 'string' && inner.includes('\0')) throw invalid(`${fieldName(field)}: must not contain NUL`);
    if (typeof inner === 'object' && inner !== null) checkShape(inner, field);
  }
}
