import { createReadStream } from 'node:fs';
import { invalid } from '../core/errors.ts';
import { type CsvFormat, csvRecords } from './csv-records.ts';
import { asUnreadable, fileSize } from './input-file.ts';

/** Encoding, delimiter and quoting of a CSV file. */
export interface Dialect extends CsvFormat {
  /** A label of the WHATWG encoding standard, for example `utf-8` or `windows-1252`. */
  encoding: string;
}

/** Names for a file and its options in messages. A command names its flags, the API its fields. */
export interface CsvWords {
  file: string;
  option(name: string): string;
}

/** Returns the names for a command that was given a path. */
export const commandWords = (path: string): CsvWords => ({ file: path, option: (name) => `--${name}` });

const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_RECORDS = 20;
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Detects encoding, delimiter and quoting. Reads the whole file for the encoding, because a single letter in the last line can decide
 * between UTF-8 and Windows-1252. Throws `invalid_request` for a file that is not text.
 * @param given the user's options, which take precedence
 */
export async function findDialect(
  path: string,
  given: { encoding?: string | undefined; delimiter?: string | undefined; skipLines?: number | undefined },
  words = commandWords(path),
): Promise<Dialect> {
  // Files are read twice, which a pipe can't be.
  fileSize(path);
  const { head, isValidUtf8 } = await scan(path);
  const encoding = given.encoding === undefined ? encodingOf(words.file, head, isValidUtf8) : knownEncoding(given.encoding, words);
  if (encoding === 'utf-8' && !isValidUtf8)
    throw invalid(`${words.file} is not in UTF-8; omit ${words.option('encoding')}, or give the right one`);
  const sample = new TextDecoder(encoding).decode(head, { stream: true });
  if (sample.includes('\0'))
    throw invalid(`${words.file} contains NUL characters, so it is not text in ${encoding}; save it as CSV in UTF-8`);
  const [, declared] = /^sep=([^"\\\r\n])\r?\n/i.exec(sample) ?? [];
  const headerLine = given.skipLines === undefined ? findHeaderLine(sample, declared === undefined ? 1 : 2) : given.skipLines + 1;
  const escapedBy = /[^\\"]\\"[^,;\t|\r\n]/.test(sample) && !/[^,;\t|\r\n]""/.test(sample) ? '\\' : '"';
  const delimiter = knownDelimiter(given.delimiter, words) ?? declared ?? (await likeliestDelimiter(sample, { escapedBy, headerLine }));
  return { encoding, delimiter, escapedBy, headerLine };
}

/** Number of lines above the header that are searched. LinkedIn writes three lines of notes there. */
const MAX_LINES_ABOVE = 10;
/** A cell that names the column of email addresses, in the languages in which programs export. */
const EMAIL_COLUMN =
  /^(?:mail|[\p{L}\d .:_()-]{0,20}(?:e-?mail|correo|courriel|messagerie|elettronica|électronique|correio|poczt[ay]|e-?post|почта|メール|邮箱|郵箱|이메일)[\p{L}\d .:_()-]{0,20})$/iu;

/**
 * Finds the first line, from `first` on, that names a column of addresses; returns `first` if none of the next lines does. A line of one
 * cell may be a title, such as "Email list", so a line of several cells is preferred.
 */
function findHeaderLine(sample: string, first: number): number {
  const lines = sample.split(/\r\n|\n|\r/, first + MAX_LINES_ABOVE);
  const names = lines.map((line) => line.split(/[,;\t|]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')));
  const isHeader = (line: string, index: number) =>
    index >= first - 1 && !line.includes('@') && (names[index] ?? []).some((cell) => EMAIL_COLUMN.test(cell));
  const wide = lines.findIndex((line, index) => isHeader(line, index) && (names[index] ?? []).length > 1);
  const found = wide < 0 ? lines.findIndex(isHeader) : wide;
  return found < 0 ? first : found + 1;
}

/** Reads the first bytes of a file, and checks if all of it is UTF-8. */
async function scan(path: string): Promise<{ head: Buffer; isValidUtf8: boolean }> {
  let head: Buffer = Buffer.alloc(0);
  let isValidUtf8 = true;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isValidUtf8 = false;
    }
  };
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (head.length < SAMPLE_BYTES) head = Buffer.concat([head, chunk.subarray(0, SAMPLE_BYTES - head.length)]);
      if (isValidUtf8) check(chunk);
      else if (head.length === SAMPLE_BYTES) break;
    }
  } catch (error) {
    throw asUnreadable(path, error);
  }
  if (isValidUtf8) check();
  return { head, isValidUtf8 };
}

function encodingOf(file: string, head: Buffer, isValidUtf8: boolean): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.subarray(0, 2).toString('latin1') === 'PK') throw invalid(`${file} is a spreadsheet or an archive; save it as CSV first`);
  if (head[0] === 0x1f && head[1] === 0x8b) throw invalid(`${file} is compressed; decompress it with gunzip first`);
  const nul = head.indexOf(0);
  if (nul === -1) return isValidUtf8 ? 'utf-8' : 'windows-1252';
  // In the first characters of a UTF-16 file every other byte is zero.
  if (nul <= 1 && head[nul + 2] === 0) return nul === 0 ? 'utf-16be' : 'utf-16le';
  throw invalid(`${file} contains NUL bytes, so it is not text in a known encoding; save it as CSV in UTF-8`);
}

function knownEncoding(label: string, { option }: CsvWords): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw invalid(
      `${option('encoding')}: unknown encoding "${label}"; use a name such as utf-8, utf-16le, windows-1252, iso-8859-2 or shift_jis`,
    );
  }
}

function knownDelimiter(text: string | undefined, { option }: CsvWords): string | undefined {
  if (text === undefined) return undefined;
  const delimiter = { tab: '\t', '\\t': '\t' }[text] ?? text;
  if (delimiter.length !== 1 || /["\\\r\n]/.test(delimiter)) throw invalid(`${option('delimiter')}: must be one character, or tab`);
  return delimiter;
}

/** Returns the delimiter with which most of the first rows have as many columns as the header. */
async function likeliestDelimiter(sample: string, rest: Omit<CsvFormat, 'delimiter'>): Promise<string> {
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const widths = await widthsOf(sample, { delimiter, ...rest });
    const columns = widths[0] ?? 1;
    const score = (columns - 1) * widths.filter((width) => width === columns).length;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** The number of columns of each of the first records. */
async function widthsOf(sample: string, format: CsvFormat): Promise<number[]> {
  const widths: number[] = [];
  try {
    for await (const { cells } of csvRecords([sample], format)) if (widths.push(cells.length) === SAMPLE_RECORDS) break;
  } catch {
    // The sample ends in the middle of a row.
  }
  return widths;
}
