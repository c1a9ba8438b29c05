import { createInterface } from 'node:readline/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { terminalJson, terminalText } from '../core/terminal-text.ts';
import { fileProblem } from '../files/file-problem.ts';
import { wrapText } from '../terminal/word-wrap.ts';

/*
 * The one place that writes to stdout and stderr: names, replies of servers and DNS records come from strangers, and none may
 * move the cursor, restyle or reorder what the operator reads. test/architecture.test.ts finds whatever writes past it. Text for
 * reading is wrapped at the width of the terminal.
 */

/** Prints text of any number of lines on stdout. */
export const print = (text: string): void => write(process.stdout, `${wrapped(process.stdout, terminalText(text))}\n`);

/** Prints what is copied or read by a program on stdout, such as CSV or a DNS record: its lines stay as they are. */
export const printAsIs = (text: string): void => write(process.stdout, `${terminalText(text)}\n`);

/** Prints text that was laid out by `table`, whose cells are clean and whose escape sequences are its own colours. */
export const printDrawn = (text: string): void => write(process.stdout, `${wrapped(process.stdout, text)}\n`);

/** Prints a value as a JSON document on stdout. */
export const printJson = (value: unknown): void => write(process.stdout, `${terminalJson(JSON.stringify(value, null, 2) ?? 'null')}\n`);

/** Prints a value as JSON on one line of stdout. */
export const printJsonLine = (value: unknown): void => write(process.stdout, `${terminalJson(JSON.stringify(value))}\n`);

/** False for a terminal that shows text line after line only: `TERM=dumb`, as in editors. */
// biome-ignore lint/style/noProcessEnv: it is a fact about the terminal, and no setting
export const canMoveCursor = (): boolean => process.env.TERM !== 'dumb';

/** Rings the bell of the terminal, if a person is at it. */
export const ringBell = (): void => void (process.stderr.isTTY && write(process.stderr, '\u0007'));

/** Calls back when the reader closes stdout, as `| head` does. */
export const onReaderGone = (callback: () => void): void => void process.stdout.once('error', callback);

/** Prints text on stderr. */
export const say = (text: string): void => write(process.stderr, `${wrapped(process.stderr, terminalText(text))}\n`);

/** Replaces the current line of stderr without ending it; an empty text erases it. */
export const sayInPlace = (text: string): void => write(process.stderr, `\r\u001b[K${terminalText(text)}`);

/** Asks on stderr and resolves with the line that is typed. Rejects with an `AbortError` on Ctrl-C. */
export async function askLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(`${wrapped(process.stderr, terminalText(question))} `);
  } finally {
    terminal.close();
  }
}

/**
 * Writes data to stdout as fast as it is read: unchanged to a file or a pipe, cleaned to a terminal. A reader that closes the
 * pipe (`| head`) is not an error.
 */
export async function writeToStdout(source: AsyncIterable<string | Buffer>, signal?: AbortSignal): Promise<void> {
  const options = { end: false, ...(signal === undefined ? {} : { signal }) };
  try {
    await (process.stdout.isTTY ? pipeline(source, cleaner(), process.stdout, options) : pipeline(source, process.stdout, options));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (signal?.aborted) throw signal.reason;
    throw (error as NodeJS.ErrnoException).syscall === 'write' ? fileProblem('the output', 'written', error) : error;
  }
}

/** Cleans a stream of UTF-8. Removes carriage returns, because the line feed after one may be in the next chunk. */
function cleaner(): Transform {
  const decoder = new StringDecoder('utf8');
  const clean = (text: string) => terminalText(text.replaceAll('\r', ''));
  return new Transform({
    decodeStrings: true,
    transform: (chunk: Buffer, _encoding, done) => done(null, clean(decoder.write(chunk))),
    flush: (done) => done(null, clean(decoder.end())),
  });
}

/** Wraps text to the width of the terminal; leaves it unchanged if there is none. */
const wrapped = (stream: NodeJS.WriteStream, text: string): string =>
  wrapText(text, stream.isTTY && stream.columns > 0 ? stream.columns : null);

const write = (stream: NodeJS.WriteStream, text: string): void => void stream.write(text);
