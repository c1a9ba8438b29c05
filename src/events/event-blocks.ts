import { type Caller, visible } from '../access/index.ts';
import { type Sql, sql } from '../db/statement.ts';
import type { EventType } from './event.ts';

/**
 * Selects `what` (the type), `block` and `contacts`, for the contacts that have an event of one of the types in a campaign that the
 * caller can see; a block comes once for each campaign. Index: event_blocks_pkey.
 */
export const eventBlocks = (caller: Caller, types: readonly EventType[]): Sql => sql`
  select b.what, b.block, b.contacts from campaigns k join event_blocks b on b.campaign_id = k.id and b.what = any(${types}::text[])
  where ${visible(caller, 'campaigns', 'k')}`;
