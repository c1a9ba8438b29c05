import { Migration } from '@mikro-orm/migrations';

/**
 * Files that go with the emails of a step. A workspace stores each content once, by its SHA-256, in chunks: so an email is sent without
 * the whole file in memory, and any daemon has it, also after a failover or from a backup.
 */
export class Attachments0089 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table attachment_files (
        id integer generated always as identity primary key,
        workspace_id integer not null references workspaces,
        -- In hexadecimal; null while the file comes in.
        sha256 text,
        size integer not null default 0,
        -- When it was last uploaded.
        used_at timestamptz not null,
        unique (workspace_id, sha256)
      );
      create table attachment_chunks (
        file_id integer not null references attachment_files on delete cascade,
        number integer not null,
        bytes bytea not null,
        primary key (file_id, number)
      );
      -- Most such files are compressed in themselves.
      alter table attachment_chunks alter column bytes set storage external;

      create table step_attachments (
        id integer generated always as identity primary key,
        step_id integer not null references steps,
        file_id integer not null references attachment_files,
        name text not null,
        created_at timestamptz not null
      );
      create unique index step_attachments_step on step_attachments (step_id, lower(name));
      create index step_attachments_file on step_attachments (file_id);
    `);
  }

  override down(): void {
    this.addSql('drop table step_attachments, attachment_chunks, attachment_files');
  }
}
