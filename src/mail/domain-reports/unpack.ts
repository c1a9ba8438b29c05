import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Entry, fromBufferPromise } from 'yauzl';
import { messageOf } from '../../core/errors.ts';
import { ReportRefused } from './report.ts';

/** In bytes. Reports about the largest senders take a few megabytes. */
const MAX_UNPACKED = 16 * 1024 * 1024;
/** Most files of a ZIP archive that are checked. A report has one. */
const MAX_ENTRIES = 10;

/**
 * Returns the text of a report: the attachment itself, or its content if it is gzip or ZIP. Detects that by the bytes, because receivers
 * set arbitrary types.
 * @throws ReportRefused if it is damaged or unpacks to more than MAX_UNPACKED
 */
export async function unpack(bytes: Buffer): Promise<Buffer> {
  const unpacked = await unpackedOnce(bytes);
  // Some receivers pack a packed file. Unpack no deeper: an archive that contains itself would never end.
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
 * Removes the line breaks that Mimecast appends to an archive, because Node takes them for a second one. The last byte of a gzip file is
 * never a line break itself: it counts units of 16 MB of the unpacked size, and larger reports are refused anyway.
 */
function withoutLineEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d) end--;
  return bytes.subarray(0, end);
}

const GZIP = Buffer.of(0x1f, 0x8b);
const ZIP = Buffer.from('PK\u0003\u0004');

/** Returns the first file of an archive with the name of a report. yauzl refuses a file that is longer than the archive says. */
async function unzip(bytes: Buffer): Promise<Buffer> {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true });
  let seen = 0;
  for await (const entry of archive.eachEntry()) {
    if (++seen > MAX_ENTRIES) break;
    if (!/\.(?:xml|json)(?:\.gz)?$/i.test(entry.fileName)) continue;
    if (entry.uncompressedSize > MAX_UNPACKED) throw new Error(`its ${entry.uncompressedSize} bytes are over the limit of ${MAX_UNPACKED}`);
    return await contentOf(archive, entry);
  }
  throw new Error('it contains no report');
}

async function contentOf(archive: Awaited<ReturnType<typeof fromBufferPromise>>, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
