import { createHash } from 'node:crypto';
import type { App } from '../../app.ts';
import { HOUR } from '../../core/clock.ts';
import { type Queryable, sql } from '../../db/statement.ts';

/** The largest file that is taken, in bytes. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

const CHUNK_BYTES = 512 * 1024;
/** After it an upload that no import has is left over: of a request that failed while its daemon was killed. */
const ABANDONED = HOUR;

/** A file that was received and stored. As JSON it is its content, whatever its id: by that a retry of a request is recognised. */
export class Upload {
  readonly id: number;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly #sha256: string;

  constructor(id: number, name: string, size: number, sha256: string) {
    this.id = id;
    this.name = name;
    this.size = size;
    this.#sha256 = sha256;
  }

  toJSON() {
    return { name: this.name, size: this.size, sha256: this.#sha256 };
  }
}

/** Stores a file as it comes in, so that memory does not grow with it. What it stored of one that breaks off is deleted. */
export async function storeUpload(app: App, name: string, content: AsyncIterable<Buffer>): Promise<Upload> {
  const [row] = await app.db.query<{ id: number }>(sql`insert into import_uploads (created_at) values (${app.clock.now()}) returning id`);
  if (row === undefined) throw new Error('the upload was not stored');
  const hash = createHash('sha256');
  let size = 0;
  let number = 0;
  try {
    for await (const bytes of inChunks(content)) {
      hash.update(bytes);
      size += bytes.length;
      await app.db.query(sql`insert into import_chunks (upload_id, number, bytes) values (${row.id}, ${number++}, ${bytes})`);
    }
  } catch (error) {
    await discardUpload(app.db, row.id).catch(() => undefined);
    throw error;
  }
  return new Upload(row.id, plainName(name), size, hash.digest('hex'));
}

/** The name of a file as one line of text; a client may send none. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .slice(0, 255)
    .toWellFormed() || 'upload.csv';

/** Gathers what comes in into chunks of half a megabyte: fewer statements. */
async function* inChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of content) {
    parts.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(parts);
}

/** Reads a stored file. Index: the primary key. */
export async function* readUpload(db: Queryable, uploadId: number): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const [row] = await db.query<{ bytes: Buffer }>(
      sql`select bytes from import_chunks where upload_id = ${uploadId} and number = ${number}`,
    );
    if (row === undefined) return;
    yield row.bytes;
  }
}

/** Deletes a stored file that no import has, or that of one that has ended. Indexes: the primary keys, imports_upload. */
export async function discardUpload(db: Queryable, uploadId: number): Promise<void> {
  await db.query(sql`
    delete from import_uploads u where u.id = ${uploadId}
      and not exists (select from imports i where i.upload_id = u.id and i.finished_at is null)`);
}

/** Deletes the uploads that no import has. Returns how many. */
export async function pruneUploads(app: App): Promise<number> {
  const limit = new Date(app.clock.now().getTime() - ABANDONED);
  const rows = await app.db.query(sql`
    delete from import_uploads u where u.created_at < ${limit}
      and not exists (select from imports i where i.upload_id = u.id and i.finished_at is null)
    returning 1`);
  return rows.length;
}
