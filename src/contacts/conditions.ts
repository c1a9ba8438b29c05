import { raw, type Sql, sql } from '../db/statement.ts';

/** Condition: contact `alias` is neither archived nor deleted. */
export const isLiveContact = (alias: string): Sql => sql`${raw(alias)}.deleted_at is null and not ${raw(alias)}.is_archived`;
