import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Columns that bin/build.js lays the pages out for. */
const WIDTH = 80;
/** Stands for the first line of `--version` in a page: it names the Node and the machine that print it. */
const VERSION = '{{version}}';

/**
 * Returns the answer to `--version`, or the page of help that the words ask for, as bin/build.js has laid it out; undefined if there is
 * none: for a terminal narrower than a page, and for what is no command. Without the command line's library, which takes most of the
 * time in which a process starts. Titles are bold.
 * @param root the URL of a file in the folder above that of the program
 * @param columns the width of the terminal, if a person reads at one
 */
export function helpPage(words: readonly string[], root: string, columns = WIDTH): string | undefined {
  if (words[0] === '--version') return `${version(root)}\n`;
  const path = words.slice(0, -1);
  const isAsked = words.length === 0 || words.at(-1) === '--help';
  if (!isAsked || columns < WIDTH || !path.every((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'))) return undefined;
  const page = read(root, `../dist/help/${['outreach', ...path].join(' ')}.txt`);
  return page?.replace(VERSION, () => version(root));
}

/** As the library prints it. */
function version(root: string): string {
  const { name, version: number } = JSON.parse(read(root, '../package.json') ?? '{}') as { name: string; version: string };
  return `${name}/${number} ${process.platform}-${process.arch} node-${process.version}`;
}

function read(root: string, path: string): string | undefined {
  try {
    return readFileSync(fileURLToPath(new URL(encodeURI(path), root)), 'utf8');
  } catch {
    return undefined;
  }
}
