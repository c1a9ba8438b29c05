import { Migration } from '@mikro-orm/migrations';

/** Every opened image and followed link, machines' included; what people did also becomes an event. */
export class Tracking0010 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table tracking_hits (
        id bigint generated always as identity primary key,
        workspace_id integer not null references workspaces,
        outbox_id bigint not null references outbox,
        kind text not null check (kind in ('opened', 'clicked')),
        url text,
        -- Why this was no person: null for a person.
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
