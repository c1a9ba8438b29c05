import { type Queryable, sql } from '../../db/statement.ts';
import type { KeptContent } from '../content/sent-content.ts';

/** Contents that are known to be stored, by step. An email with a known content needs no statement. */
const known = new WeakMap<object, Set<string>>();
const MAX_KNOWN = 10_000;

/** Stores a content with its step, once. Call it before the first email with that content leaves. Index: steps_pkey. */
export async function keepContent(db: Queryable, stepId: number, { key, content }: KeptContent): Promise<void> {
  const kept = known.get(db) ?? new Set();
  known.set(db, kept);
  if (kept.has(`${stepId} ${key}`)) return;
  await db.query(sql`
    update steps set sent_contents = sent_contents || jsonb_build_object(${key}::text, ${JSON.stringify(content)}::jsonb)
    where id = ${stepId} and not sent_contents ? ${key}`);
  if (kept.size >= MAX_KNOWN) kept.clear();
  kept.add(`${stepId} ${key}`);
}
