import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

/** Copies the subjects of one step to another that has none. Returns false if the other has one. */
export async function giveSubjects(tx: Tx, from: number, to: number, now: Date): Promise<boolean> {
  const given = await tx.query(sql`
    update steps n set subject = o.subject, subject_b = coalesce(n.subject_b, o.subject_b), updated_at = ${now}
    from steps o where o.id = ${from} and n.id = ${to} and n.subject = '' returning n.id`);
  return given.length > 0;
}
