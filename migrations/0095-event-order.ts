import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a reader know which events have settled. Ids follow the order of the inserts, but a transaction may commit after a later one:
 * whoever asks for events after the last id they know would miss its events. So a transaction holds, from before its first event until
 * it ends, a shared advisory lock that names the last id given out until then; the events up to the lowest such id are all visible.
 * The lock never waits. See src/events/settled.ts.
 */
export class EventOrder0095 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create function announce_events() returns trigger language plpgsql as $$
      begin
        -- Once a transaction: its first lock has the lowest id.
        if coalesce(current_setting('outreach.announced', true), '') = '' then
          perform pg_advisory_xact_lock_shared(1701, (
            select ((last_value - (not is_called)::int) % 2147483648)::int from events_id_seq));
          perform set_config('outreach.announced', 'true', true);
        end if;
        return null;
      end $$;
      create trigger events_announced before insert on events for each statement execute function announce_events();
      create index events_order on events (workspace_id, id) include (campaign_id, contact_id);
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop index events_order;
      drop trigger events_announced on events;
      drop function announce_events;
    `);
  }
}
