import { createHash } from 'node:crypto';
import type { App } from '../app.ts';
import { HOUR } from '../core/clock.ts';
import { conflict, invalid } from '../core/errors.ts';
import { prepared, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** A multiple of 57 bytes, which is a line of base64, so that an email can encode each chunk independently of the next. */
const CHUNK_BYTES = 57 * 8_192;
/** An unused file is kept this long after its last upload, in milliseconds. */
const UNUSED = HOUR;

/** A stored file. Its JSON omits the id, so that a retry of a request is recognised by the content. */
export class StoredFile {
  readonly id: number;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;

  constructor(id: number, name: string, size: number, sha256: string) {
    this.id = id;
    this.name = name;
    this.size = size;
    this.sha256 = sha256;
  }

  toJSON() {
    return { name: this.name, size: this.size, sha256: this.sha256 };
  }
}

/**
 * Stores a file while it is received, so that memory use does not grow with its size. `check` gets the first chunk, and throws to refuse
 * the file. A file that is refused or incomplete leaves nothing behind. Throws `invalid_request` for an empty file, and `conflict` if the
 * workspace has no room for it. The caller limits the size of `content`.
 */
export async function storeFile(
  app: App,
  workspaceId: number,
  name: string,
  content: AsyncIterable<Buffer>,
  check?: (start: Buffer) => void,
): Promise<StoredFile> {
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into files (workspace_id, uploaded_at) values (${workspaceId}, ${app.clock.now()}) returning id`,
  );
  if (row === undefined) throw new Error('the file was not stored');
  const hash = createHash('sha256');
  let size = 0;
  let number = 0;
  try {
    for await (const bytes of inChunks(content)) {
      if (number === 0) check?.(bytes);
      await requireRoom(app, workspaceId, bytes.length);
      hash.update(bytes);
      size += bytes.length;
      await app.db.query(sql`insert into file_chunks (file_id, number, bytes) values (${row.id}, ${number++}, ${bytes})`);
    }
    if (size === 0) throw invalid('file: must not be empty');
  } catch (error) {
    await discardFile(app.db, row.id).catch(() => undefined);
    throw error;
  }
  return new StoredFile(row.id, name, size, hash.digest('hex'));
}

const MEBIBYTE = 1024 * 1024;

/**
 * Throws `conflict` if a workspace has no room for that many more bytes: all workspaces share the disk, and the embedded database stops if
 * it is full. Called for each chunk, because other uploads run at the same time. Index: files_workspace_id_sha256_key.
 */
async function requireRoom(app: App, workspaceId: number, bytes: number): Promise<void> {
  const [used] = await app.db.query<{ all: number; unused: number }>(sql`
    select coalesce(sum(octet_length(c.bytes)), 0)::float8 as all,
      coalesce(sum(octet_length(c.bytes)) filter (where ${isUnused}), 0)::float8 as unused
    from files f join file_chunks c on c.file_id = f.id where f.workspace_id = ${workspaceId}`);
  const { limitsUploads, limitsUnusedUploads } = app.config;
  const full = (most: number, what: string) => conflict(`file: the workspace has ${most} MiB of ${what}; delete some, or wait an hour`);
  if ((used?.unused ?? 0) + bytes > limitsUnusedUploads * MEBIBYTE) throw full(limitsUnusedUploads, 'uploaded files that nothing uses');
  if ((used?.all ?? 0) + bytes > limitsUploads * MEBIBYTE) throw full(limitsUploads, 'uploaded files');
}

/** Combines the received bytes into chunks of one size. The last may be smaller. */
async function* inChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of content) {
    parts.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    const bytes = Buffer.concat(parts);
    const whole = size - (size % CHUNK_BYTES);
    for (let at = 0; at < whole; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
    parts = [bytes.subarray(whole)];
    size -= whole;
  }
  if (size > 0) yield Buffer.concat(parts);
}

/** Reads a stored file in chunks that are whole lines of base64. Ends early if the file is deleted. Index: the primary key. */
export async function* readFile(db: Queryable, fileId: number): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const [row] = await db.query<{ bytes: Buffer }>(
      prepared('file-chunk', sql`select bytes from file_chunks where file_id = ${fileId} and number = ${number}`),
    );
    if (row === undefined) return;
    yield row.bytes;
  }
}

/**
 * Makes a stored file available to a workspace by its content. Returns its id. If the workspace already has a file with this content,
 * returns the id of that file, and deletes this one.
 */
export async function shareFile(tx: Tx, workspaceId: number, { id, size, sha256 }: StoredFile, now: Date): Promise<number> {
  // Two uploads of the same content wait for each other here.
  await tx.query(sql`select pg_advisory_xact_lock(${workspaceId}, hashtext(${sha256}))`);
  const [same] = await tx.query<{ id: number }>(sql`
    update files set uploaded_at = ${now} where workspace_id = ${workspaceId} and sha256 = ${sha256} returning id`);
  if (same === undefined) await tx.query(sql`update files set sha256 = ${sha256}, size = ${size} where id = ${id}`);
  else await discardFile(tx, id);
  return same?.id ?? id;
}

/**
 * Finds a shared file of a workspace by its content. The file then counts as just uploaded, so that it is not deleted before this
 * transaction has recorded its use. Index: files_workspace_id_sha256_key.
 */
export async function findFile(tx: Tx, workspaceId: number, sha256: string, now: Date): Promise<{ id: number; size: number } | undefined> {
  const [file] = await tx.query<{ id: number; size: number }>(
    sql`update files set uploaded_at = ${now} where workspace_id = ${workspaceId} and sha256 = ${sha256} returning id, size`,
  );
  return file;
}

/** Deletes a file, unless it is shared or an unfinished import needs it. */
export async function discardFile(db: Queryable, fileId: number): Promise<void> {
  await deleteUnused(db, sql`f.id = ${fileId} and f.sha256 is null`);
}

/** Deletes unused files an hour after their last upload, including the remains of interrupted uploads. Returns how many. */
export async function pruneFiles(app: App): Promise<number> {
  const limit = new Date(app.clock.now().getTime() - UNUSED);
  return (await deleteUnused(app.db, sql`f.uploaded_at < ${limit}`)).length;
}

/** Condition: row `alias` has the file `f` among its attachments. */
const hasFile = (alias: string): Sql =>
  sql`${raw(alias)}.attachments <> '[]' and ${raw(alias)}.attachments @> jsonb_build_array(jsonb_build_object('file_id', f.id))`;

/**
 * Condition: the file `f` is not used by a step, by an answer that is a draft or not settled, or by an unfinished import. Indexes:
 * steps_attachments, answers_attachments, imports_file.
 */
const isUnused = sql`not exists (select from steps s where ${hasFile('s')})
  and not exists (select from answers w left join outbox o on o.id = w.outbox_id where ${hasFile('w')} and o.closed_at is null)
  and not exists (select from imports i where i.file_id = f.id and i.finished_at is null)`;

/** Deletes the unused ones of these files. */
const deleteUnused = (db: Queryable, which: Sql) => db.query(sql`delete from files f where ${which} and ${isUnused} returning 1`);
