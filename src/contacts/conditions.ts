import { raw, type Sql, sql } from '../db/statement.ts';

/** Condition: contact `alias` is neither archived nor deleted. */
export const isLiveContact = (alias: string): Sql => sql`${raw(alias)}.deleted_at is null and not ${raw(alias)}.is_archived`;

/** Condition: the address of contact `alias` was checked and found risky or bad. */
export const isRiskyAddress = (alias: string): Sql => sql`coalesce(${raw(alias)}.verification->>'verdict' in ('risky', 'bad'), false)`;
