import { raw, type Sql, sql } from '../../db/statement.ts';
import { isOneOf } from '../../db/words.ts';

export const STEP_KINDS = ['email', 'call'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Step `alias` is live and of this kind. */
export const isLiveStep = (alias: string, kind: StepKind): Sql =>
  sql`${raw(alias)}.deleted_at is null and ${isOneOf(`${alias}.kind`, [kind])}`;
