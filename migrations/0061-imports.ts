import { Migration } from '@mikro-orm/migrations';

/**
 * Imports over the API. The uploaded file is kept in chunks until its import ends, so that any daemon can run it, also after another
 * has stopped; the problems of its lines are kept for longer.
 */
export class Imports0061 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table import_uploads (
        id integer generated always as identity primary key,
        created_at timestamptz not null
      );
      create table import_chunks (
        upload_id integer not null references import_uploads on delete cascade,
        number integer not null,
        bytes bytea not null,
        primary key (upload_id, number)
      );
      -- Compressed data of a file that is read once and deleted would only cost time.
      alter table import_chunks alter column bytes set storage external;

      create table imports (
        id integer generated always as identity primary key,
        workspace_id integer not null references workspaces,
        -- Null once the import has ended.
        upload_id integer references import_uploads on delete set null,
        file_name text not null,
        file_size integer not null,
        options jsonb not null,
        status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
        -- Names the run that may end the import: an earlier one that is still at work may not.
        tries integer not null default 0,
        bytes_read integer not null default 0,
        rows_read integer not null default 0,
        result jsonb,
        problem_count integer not null default 0,
        error text,
        created_by integer references users,
        api_key_id integer references api_keys,
        ip text,
        created_at timestamptz not null,
        started_at timestamptz,
        finished_at timestamptz
      );
      create index imports_list on imports (workspace_id, id);
      create index imports_open on imports (id) where status in ('queued', 'running');
      create index imports_ended on imports (finished_at) where finished_at is not null;
      create index imports_upload on imports (upload_id) where upload_id is not null;

      create table import_problems (
        import_id integer not null references imports on delete cascade,
        line integer not null,
        outcome text not null,
        email text not null,
        reason text not null,
        primary key (import_id, line, outcome)
      );
    `);
  }

  override down(): void {
    this.addSql('drop table import_problems, imports, import_chunks, import_uploads');
  }
}
