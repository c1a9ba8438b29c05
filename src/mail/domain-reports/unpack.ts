import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Entry, fromBufferPromise } from 'yauzl';
import { messageOf } from '../../core/errors.ts';
import { ReportRefused } from './report.ts';

/** In bytes. Reports of the largest senders have a few megabytes. */
const MAX_UNPACKED = 16 * 1024 * 1024;
/** Files of a ZIP archive that are looked at. A report has one. */
const MAX_ENTRIES = 10;

/**
 * The text of a report: an attachment as it is, or unpacked from gzip or ZIP. The bytes say which: receivers name types as they like.
 * @throws ReportRefused if it is damaged or unpacks to more than MAX_UNPACKED
 */
export async function unpack(bytes: Buffer): Promise<Buffer> {
  const unpacked = await unpackedOnce(bytes);
  // Some receivers pack a packed file. No more than once, or an archive of itself has no end.
  return unpacked === bytes ? bytes : unpackedOnce(unpacked);
}

async function unpackedOnce(bytes: Buffer): Promise<Buffer> {
  try {
    if (bytes.subarray(0, 2).equals(GZIP)) return await promisify(gunzip)(withoutLineEnd(bytes), { maxOutputLength: MAX_UNPACKED });
    return bytes.subarray(0, 4).equals(ZIP) ? await unzip(bytes) : bytes;
  } catch (error) {
    throw new ReportRefused(`it can't be unpacked (${messageOf(error)})`);
  }
}

/**
 * Without the line breaks that Mimecast puts after an archive: Node takes them for the next one. The last byte of an archive is none, since it counts
 * 16 MB of what is packed.
 */
function withoutLineEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d) end--;
  return bytes.subarray(0, end);
}

const GZIP = Buffer.of(0x1f, 0x8b);
const ZIP = Buffer.from('PK\u0003\u0004');

/** The first file of an archive that is a report by its name. yauzl refuses a file that is longer than the archive says. */
async function unzip(bytes: Buffer): Promise<Buffer> {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true });
  let seen = 0;
  for await (const entry of archive.eachEntry()) {
    if (++seen > MAX_ENTRIES) break;
    if (!/\.(?:xml|json)(?:\.gz)?$/i.test(entry.fileName)) continue;
    if (entry.uncompressedSize > MAX_UNPACKED) throw new Error(`${entry.uncompressedSize} bytes are too many`);
    return await contentOf(archive, entry);
  }
  throw new Error('no report is in it');
}

async function contentOf(archive: Awaited<ReturnType<typeof fromBufferPromise>>, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
