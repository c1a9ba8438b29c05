import { type Caller, requireVisible } from '../../access/index.ts';
import { notFound } from '../../core/errors.ts';
import { type RowOf, selectColumns } from '../../db/record-row.ts';
import { type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import type { AttachedFile } from '../../uploads/attachments.ts';
import { isLiveStep } from '../states/step.ts';
import type { Step } from './entities.ts';

const COLUMNS = ['id', 'step_order', 'subject', 'body_html', 'subject_b', 'body_html_b', 'wait_days', 'kind'] as const;

/** A step as the API shows it. */
export type StepRow = RowOf<Step, (typeof COLUMNS)[number]>;

/** The wait of a step, besides `wait_days` of its record. */
export type StepTiming = RowOf<Step, 'wait_hours' | 'business_days'>;

const columns = selectColumns<Step>('s', COLUMNS);

/** Lists the steps of a campaign in order. Throws `not_found`. Index: steps_live_order. */
export async function listSteps(db: Queryable, caller: Caller, campaignId: number): Promise<StepRow[]> {
  await requireVisible(db, caller, 'campaigns', campaignId);
  return db.query<StepRow>(
    sql`select ${columns} from steps s where s.campaign_id = ${campaignId} and s.deleted_at is null order by s.step_order`,
  );
}

/** Reads one step of a campaign. Throws `not_found` unless the caller can see the campaign. Index: steps_pkey. */
export async function getStep(db: Queryable, caller: Caller, campaignId: number, id: number): Promise<StepRow> {
  await requireVisible(db, caller, 'campaigns', campaignId);
  const [row] = await db.query<StepRow>(
    sql`select ${columns} from steps s where s.id = ${id} and s.campaign_id = ${campaignId} and s.deleted_at is null`,
  );
  if (row === undefined) throw notFound('step');
  return row;
}

/** Reads the waits of a campaign's steps, by step id. The caller must be allowed to see the campaign. Index: steps_live_order. */
export async function stepTimings(db: Queryable, campaignId: number): Promise<Map<number, StepTiming>> {
  const rows = await db.query<StepTiming & { id: number }>(
    sql`select s.id, s.wait_hours, s.business_days from steps s where s.campaign_id = ${campaignId} and s.deleted_at is null`,
  );
  return new Map(rows.map(({ id, ...timing }) => [id, timing]));
}

/** Reads the wait of one step. Throws `not_found` unless the caller can see the campaign. Index: steps_pkey. */
export async function getStepTiming(db: Queryable, caller: Caller, campaignId: number, id: number): Promise<StepTiming> {
  await requireVisible(db, caller, 'campaigns', campaignId);
  const timing = (await stepTimings(db, campaignId)).get(id);
  if (timing === undefined) throw notFound('step');
  return timing;
}

/** Reads the attachments of a campaign's steps, by step id. The caller must be allowed to see the campaign. Index: steps_live_order. */
export async function attachmentsOf(db: Queryable, campaignId: number): Promise<Map<number, AttachedFile[]>> {
  const rows = await db.query<{ id: number; attachments: AttachedFile[] }>(
    sql`select s.id, s.attachments from steps s where s.campaign_id = ${campaignId} and s.deleted_at is null`,
  );
  return new Map(rows.map(({ id, attachments }) => [id, attachments]));
}

/** Campaign `alias` has a live email step. Index: steps_live_order. */
export const hasEmailStep = (alias: string): Sql =>
  sql`exists (select from steps s where s.campaign_id = ${raw(alias)}.id and ${isLiveStep('s', 'email')})`;
