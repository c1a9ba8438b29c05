import { Migration } from '@mikro-orm/migrations';

/** Who gets a summary by email each day, and when the next is due. */
export class DailySummaries0078 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table daily_summaries (
        workspace_id integer not null,
        user_id integer not null,
        -- Minutes after midnight, in the time zone.
        at_minute smallint not null check (at_minute between 0 and 1439),
        timezone text not null,
        next_at timestamptz not null,
        -- When the latest was claimed by the daemon that sends it, or sent it.
        claimed_at timestamptz,
        -- Later replies are new in the next summary.
        after_reply_id bigint not null,
        -- Attempts of today's that certainly failed.
        tries smallint not null default 0,
        primary key (workspace_id, user_id),
        foreign key (workspace_id, user_id) references memberships on delete cascade
      );
      create index daily_summaries_next on daily_summaries (next_at);
    `);
  }

  override down(): void {
    this.addSql('drop table daily_summaries');
  }
}
