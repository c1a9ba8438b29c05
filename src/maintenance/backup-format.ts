import { createHash, createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { conflict, invalid, messageOf } from '../core/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import type { Sealer } from '../secrets/seal.ts';

/*
 * A backup is a SQL script: comments that contain JSON, and `copy ... from stdin` sections as pg_dump writes them.
 *
 *   -- outreach backup
 *   -- {"format":2,"made_at":...,"migrations":[...],"key_ids":[...]}
 *   copy "accounts" ("id", ...) from stdin;
 *   (rows)
 *   \.
 *   -- {"rows":{...},"sequences":{...}}
 *   -- sha256 (of everything above)
 *   -- hmac-sha256 (of everything above the checksum, by the secret)
 */
export const FORMAT = 2;
export const BACKUP_LINE = '-- outreach backup';
export const END_OF_ROWS = '\\.';
export const CHECKSUM = '-- sha256 ';
export const SIGNATURE = '-- hmac-sha256 ';
/** The keys that sign backups, the current secret's first. */
export const signingKeys = (sealer: Pick<Sealer, 'keysFor'>): Buffer[] => sealer.keysFor('backup');

const headerSchema = z.object({
  format: z.number(),
  made_at: z.string(),
  /** Migrations that had run on the database, in order. */
  migrations: z.array(z.string()),
  /** Ids of the keys that may be needed to open its sealed values, the current one first. */
  key_ids: z.array(z.string()),
});
export type BackupHeader = z.output<typeof headerSchema>;

const trailerSchema = z.object({
  rows: z.record(z.string(), z.number()),
  sequences: z.record(z.string(), z.number().nullable()),
});
export type BackupTrailer = z.output<typeof trailerSchema>;

const MAX_LINE = 1024 * 1024;
const COPY = /^copy "((?:[^"]|"")+)" \((.+)\) from stdin;$/;

/** Reads a backup sequentially, chunk by chunk. Throws `invalid_request` for a damaged one. */
export class BackupReader {
  readonly #path: string;
  readonly #sealer: Sealer;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  /** One for each known secret, since only the header says which of them signed the backup. */
  #signatures: Hmac[];
  #signer = 0;
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the file read so far. */
  bytes = 0;

  /** @param sealer whose secret must have signed the backup */
  constructor(path: string, sealer: Sealer) {
    this.#path = path;
    this.#sealer = sealer;
    this.#signatures = signingKeys(sealer).map((key) => createHmac('sha256', key));
    const file = createReadStream(path);
    file.on('data', (chunk) => {
      this.bytes += chunk.length;
    });
    const plain = createZstdDecompress();
    file.once('error', (error) => plain.destroy(error));
    this.#chunks = file.pipe(plain)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async header(): Promise<BackupHeader> {
    if ((await this.#line()) !== BACKUP_LINE) throw invalid(`${this.#path} is not an Outreach backup`);
    const header = headerSchema.safeParse(this.#json(await this.#line()));
    if (!header.success) throw this.#damaged('the header is malformed');
    if (header.data.format < FORMAT) throw conflict(`${this.#path} was made by a version before 1.0.0, which this program can't read`);
    if (header.data.format !== FORMAT)
      throw invalid(
        `${this.#path} has format ${header.data.format}, which this version can't read; use the version that wrote it, or a later one`,
      );
    this.#signer = this.#sealer.keyIds.indexOf(header.data.key_ids[0] ?? '');
    return header.data;
  }

  /** Returns the next table, or the trailer at the end. Its rows must be read to the end before the next call. */
  async next(): Promise<{ table: string; columns: string[]; rows: AsyncGenerator<Buffer> } | { trailer: BackupTrailer }> {
    const line = await this.#line();
    const [, table, columns] = COPY.exec(line) ?? [];
    if (table !== undefined && columns !== undefined)
      return {
        table: table.replaceAll('""', '"'),
        columns: columns.split(', ').map((name) => name.slice(1, -1).replaceAll('""', '"')),
        rows: this.#rows(),
      };
    const trailer = trailerSchema.safeParse(this.#json(line));
    if (!trailer.success) throw this.#damaged('a section is malformed');
    const sum = this.#hash.copy().digest('hex');
    const signature = this.#signatures[this.#signer]?.digest();
    this.#signatures = [];
    if ((await this.#line()) !== `${CHECKSUM}${sum}`) throw this.#damaged('the checksum does not match');
    if (!(await this.#isSigned(signature)))
      throw conflict(`${this.#path} can't be trusted: its signature does not match its content; use another backup`);
    return { trailer: trailer.data };
  }

  async #isSigned(signature: Buffer | undefined): Promise<boolean> {
    const line = await this.#line();
    const found = Buffer.from(line.slice(SIGNATURE.length), 'hex');
    return line.startsWith(SIGNATURE) && found.length === signature?.length && timingSafeEqual(found, signature);
  }

  /** Throws `conflict` unless the backup was made with one of the known secrets. */
  requireKnownSecret({ key_ids: [keyId = ''] }: BackupHeader): void {
    if (!this.#sealer.keyIds.includes(keyId))
      throw conflict(
        `the credentials in the backup are encrypted with the secret ${keyId}, but this installation has ${this.#sealer.keyId}; ` +
          'first put the secret.key (or OUTREACH_SECRET_KEY) of the old installation in place',
      );
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #json(line: string): unknown {
    try {
      return JSON.parse(line.replace(/^-- /, ''));
    } catch {
      return undefined;
    }
  }

  async #line(): Promise<string> {
    let end = this.#rest.indexOf(0x0a);
    while (end === -1) {
      if (this.#rest.length > MAX_LINE) throw invalid(`${this.#path} is not an Outreach backup`);
      await this.#readChunk();
      end = this.#rest.indexOf(0x0a);
    }
    return this.#take(end + 1)
      .toString('utf8')
      .slice(0, -1);
  }

  /** Yields the rows of a table, in arbitrary chunks. COPY escapes line breaks in values, so the end marker is unambiguous. */
  async *#rows(): AsyncGenerator<Buffer> {
    while (this.#rest.length < 3) await this.#readChunk();
    if (this.#rest.subarray(0, 3).toString() === '\\.\n') {
      this.#take(3);
      return;
    }
    for (;;) {
      const end = this.#rest.indexOf('\n\\.\n');
      if (end !== -1) {
        yield this.#take(end + 1);
        this.#take(3);
        return;
      }
      // The end marker may span two chunks.
      if (this.#rest.length > 3) yield this.#take(this.#rest.length - 3);
      await this.#readChunk();
    }
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    this.#hash.update(taken);
    for (const signature of this.#signatures) signature.update(taken);
    return taken;
  }

  async #readChunk(): Promise<void> {
    const chunk = await this.#chunks.next().catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      if (code?.startsWith('E')) throw fileProblem(this.#path, 'read', error);
      throw this.#rest.length === 0 && this.bytes < MAX_LINE
        ? invalid(`${this.#path} is not an Outreach backup, or is damaged`)
        : this.#damaged(messageOf(error));
    });
    if (chunk.done === true) throw this.#damaged('it is truncated');
    this.#rest = this.#rest.length === 0 ? chunk.value : Buffer.concat([this.#rest, chunk.value]);
  }

  #damaged(how: string) {
    return invalid(`${this.#path} is damaged: ${how}; use another backup`);
  }
}
