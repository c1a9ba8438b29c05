import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { seenBlocks } from '../../contacts/index.ts';
import { type Sql, sql } from '../../db/statement.ts';

/** Changes that one transaction moves. */
const AT_ONCE = 10_000;

/**
 * Moves what changes of enrolments have added to `active_changes` into `active_blocks`, the sets of active contacts. Readers take both
 * together, so they are exact before, meanwhile and after. Each row flips bits, so that the order does not matter.
 * Indexes: active_changes_pkey, active_blocks_pkey.
 */
export async function sumUpActive(app: App): Promise<void> {
  while ((await moveChanges(app)) === AT_ONCE);
}

async function moveChanges(app: App): Promise<number> {
  const [moved] = await app.db.query<{ rows: number }>(sql`
    with picked as materialized (
      select c.campaign_id, c.id from active_changes c order by c.campaign_id, c.id limit ${AT_ONCE} for update skip locked
    ), taken as (
      delete from active_changes c using picked p where (c.campaign_id, c.id) = (p.campaign_id, p.id) returning c.*
    ), added as (
      insert into active_blocks as b (campaign_id, block, contacts)
      select t.campaign_id, t.block, bit_xor(t.contacts) from taken t group by 1, 2 order by 1, 2
      on conflict (campaign_id, block) do update set contacts = b.contacts # excluded.contacts
    )
    select count(*)::int as rows from taken`);
  return moved?.rows ?? 0;
}

/**
 * Selects `campaign_id` and `active`, the number of contacts still in the sequence whom the caller can see, of campaigns that have any.
 * Indexes: active_blocks_pkey, active_changes_pkey, contact_blocks_pkey.
 * @param campaigns a query for the ids of campaigns
 */
export const activeContacts = (caller: Caller, campaigns: Sql): Sql => sql`
  select a.campaign_id, sum(bit_count(a.contacts & s.contacts))::int as active from (
    select n.campaign_id, n.block, bit_xor(n.contacts) as contacts from (
      select b.campaign_id, b.block, b.contacts from active_blocks b where b.campaign_id in (${campaigns})
      union all
      select c.campaign_id, c.block, c.contacts from active_changes c where c.campaign_id in (${campaigns})
    ) n group by 1, 2
  ) a join (select k.block, bit_or(k.contacts) as contacts from (${seenBlocks(caller)}) k group by 1) s on s.block = a.block group by 1`;
