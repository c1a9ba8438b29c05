import { Migration } from '@mikro-orm/migrations';

/** Tracking hits of people and machines; those of people also become events. */
export class Tracking0010 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table tracking_hits (
        id bigint generated always as identity primary key,
        workspace_id integer not null references workspaces,
        outbox_id bigint not null references outbox,
        kind text not null check (kind in ('opened', 'clicked')),
        url text,
        -- Why this was a machine; null for a person.
        machine text,
        ip inet,
        user_agent text,
        at timestamptz not null
      );
      create index tracking_hits_mail on tracking_hits (outbox_id, at);
    `);
  }

  override down(): void {
    this.addSql('drop table tracking_hits');
  }
}
