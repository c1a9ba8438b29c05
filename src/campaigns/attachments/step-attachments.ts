import { type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import type { AttachedFile } from '../../uploads/attachments.ts';

/** A file that goes with the emails of a step. */
export interface Attachment {
  id: number;
  name: string;
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
}

/** The attachments of live steps of a campaign by the step's id, in the order in which they were attached. Indexes: steps_live_order, step_attachments_step. */
export async function attachmentsOf(db: Queryable, campaignId: number): Promise<Map<number, (Attachment & AttachedFile)[]>> {
  const rows = await db.query<Attachment & AttachedFile & { step_id: number }>(sql`
    select a.step_id, a.id, a.file_id, a.name, f.size, f.sha256
    from steps s join step_attachments a on a.step_id = s.id join files f on f.id = a.file_id
    where s.campaign_id = ${campaignId} and s.deleted_at is null order by a.id`);
  const byStep = new Map<number, (Attachment & AttachedFile)[]>();
  for (const { step_id, ...attachment } of rows) byStep.set(step_id, [...(byStep.get(step_id) ?? []), attachment]);
  return byStep;
}

/** The attachments of step `alias` as a JSON array of `AttachedFile`; null if it has none. Index: step_attachments_step. */
export const attachedFiles = (alias: string): Sql => sql`(
  select jsonb_agg(jsonb_build_object('file_id', a.file_id, 'name', a.name, 'size', f.size) order by a.id)
  from step_attachments a join files f on f.id = a.file_id where a.step_id = ${raw(alias)}.id)`;

/** Gives steps further attachments. */
export async function insertAttachments(tx: Tx, stepIds: readonly number[], added: readonly AttachedFile[], now: Date): Promise<void> {
  await tx.query(sql`
    insert into step_attachments (step_id, file_id, name, created_at)
    select step.id, file.id, file.name, ${now}::timestamptz
    from unnest(${stepIds}::int[]) as step (id)
    cross join unnest(${added.map(({ file_id }) => file_id)}::int[], ${added.map(({ name }) => name)}::text[]) with ordinality as file (id, name, place)
    order by step.id, file.place`);
}

/** Takes attachments of these names from steps; their files are deleted later, if no other step has them. Index: step_attachments_step. */
export async function deleteAttachments(tx: Tx, stepIds: readonly number[], names: readonly string[]): Promise<void> {
  await tx.query(sql`
    delete from step_attachments where step_id = any(${stepIds}::int[])
      and lower(name) in (select lower(name) from unnest(${names}::text[]) as gone (name))`);
}

/** Takes all attachments from a step that is deleted. */
export async function deleteAllAttachments(tx: Tx, stepId: number): Promise<void> {
  await tx.query(sql`delete from step_attachments where step_id = ${stepId}`);
}

/** Copies the attachments of a campaign's live steps to the steps of the same number in its copies. Indexes: steps_live_order, step_attachments_step. */
export async function copyAttachments(tx: Tx, campaignId: number, copies: readonly number[], now: Date): Promise<void> {
  await tx.query(sql`
    insert into step_attachments (step_id, file_id, name, created_at)
    select copy.id, a.file_id, a.name, ${now}::timestamptz
    from steps s join step_attachments a on a.step_id = s.id
    join steps copy on copy.campaign_id = any(${copies}::int[]) and copy.step_order = s.step_order and copy.deleted_at is null
    where s.campaign_id = ${campaignId} and s.deleted_at is null order by copy.id, a.id`);
}
