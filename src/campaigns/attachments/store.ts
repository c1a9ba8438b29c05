import { createHash } from 'node:crypto';
import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { HOUR } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import { prepared, type Queryable, sql } from '../../db/statement.ts';
import { attachmentName, contentFault } from './names.ts';

/** The most that the attachments of a step may have together, and so the largest file, in bytes. */
export const MAX_ATTACHED_BYTES = 15 * 1024 * 1024;

/** Whole lines of base64, which have 57 bytes each: so a chunk is encoded without the next one. */
const CHUNK_BYTES = 57 * 8_192;
/** For so long a file that no step has can still be attached. */
const UNUSED = HOUR;

/** A file that was uploaded. As JSON it is its content, whatever its id: by that a retry of a request is recognised. */
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
 * Takes a file as it comes in, so that memory does not grow with it; it can be attached once `keepFile` has kept it. Nothing stays of one
 * that breaks off. Throws `invalid_request` for an empty or too large file, and for a program.
 */
export async function receiveFile(app: App, caller: Caller, givenName: string, content: AsyncIterable<Buffer>): Promise<StoredFile> {
  const name = attachmentName(givenName);
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into attachment_files (workspace_id, used_at) values (${caller.workspaceId}, ${app.clock.now()}) returning id`,
  );
  if (row === undefined) throw new Error('the file was not stored');
  try {
    const { size, sha256 } = await storeChunks(app.db, row.id, content);
    return new StoredFile(row.id, name, size, sha256);
  } catch (error) {
    await discardFile(app.db, row.id).catch(() => undefined);
    throw error;
  }
}

async function storeChunks(db: Queryable, fileId: number, content: AsyncIterable<Buffer>): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  let number = 0;
  for await (const bytes of inChunks(content)) {
    const fault = number === 0 ? contentFault(bytes) : null;
    if (fault !== null) throw invalid(fault);
    size += bytes.length;
    if (size > MAX_ATTACHED_BYTES) throw invalid('file: is larger than 15 MB');
    hash.update(bytes);
    await db.query(sql`insert into attachment_chunks (file_id, number, bytes) values (${fileId}, ${number++}, ${bytes})`);
  }
  if (size === 0) throw invalid('file: is empty');
  return { size, sha256: hash.digest('hex') };
}

/** Keeps a file that was received, unless the workspace has its content already. */
export async function keepFile(app: App, caller: Caller, { id, name, size, sha256 }: StoredFile): Promise<void> {
  const { workspaceId } = caller;
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    // Two uploads of one content wait for each other here.
    await tx.query(sql`select pg_advisory_xact_lock(${workspaceId}, hashtext(${sha256}))`);
    const [same] = await tx.query<{ id: number }>(sql`
      update attachment_files set used_at = ${now} where workspace_id = ${workspaceId} and sha256 = ${sha256} returning id`);
    if (same === undefined) await tx.query(sql`update attachment_files set sha256 = ${sha256}, size = ${size} where id = ${id}`);
    const changes = { name, size, sha256 };
    await audit(tx, caller, now, { action: 'attachment.upload', resourceType: 'attachment', resourceId: same?.id ?? id, changes });
  });
}

/** Gathers what comes in into chunks of one size; the last may be smaller. */
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

/** Reads a stored file in chunks of whole lines of base64. Throws if it is not there. Index: the primary key. */
export async function* readFile(db: Queryable, fileId: number): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const [row] = await db.query<{ bytes: Buffer }>(
      prepared('attachment-chunk', sql`select bytes from attachment_chunks where file_id = ${fileId} and number = ${number}`),
    );
    if (row === undefined && number === 0) throw new Error(`attached file ${fileId} is gone`);
    if (row === undefined) return;
    yield row.bytes;
  }
}

/** A file of the workspace by its content; undefined if it has none such. Index: attachment_files_workspace_id_sha256_key. */
export async function findFile(db: Queryable, workspaceId: number, sha256: string): Promise<{ id: number; size: number } | undefined> {
  const [file] = await db.query<{ id: number; size: number }>(
    sql`select id, size from attachment_files where workspace_id = ${workspaceId} and sha256 = ${sha256} for key share`,
  );
  return file;
}

/** Deletes a file that was received, unless it was kept. */
export async function discardFile(db: Queryable, fileId: number): Promise<void> {
  await db.query(sql`delete from attachment_files where id = ${fileId} and sha256 is null`);
}

/** Deletes the files that no step has and that were not uploaded within the hour, also those of uploads that broke off. Returns how many. */
export async function pruneFiles(app: App): Promise<number> {
  const limit = new Date(app.clock.now().getTime() - UNUSED);
  const rows = await app.db.query(sql`
    delete from attachment_files f where f.used_at < ${limit} and not exists (select from step_attachments a where a.file_id = f.id)
    returning 1`);
  return rows.length;
}
