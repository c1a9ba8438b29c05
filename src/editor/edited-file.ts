import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A file with a text that a person edits, in a folder of its own that only its owner can read. */
export interface EditedFile {
  path: string;
  read(): string;
  write(text: string): void;
  remove(): void;
}

/** @param name file name, such as `answer-31.txt` */
export function editedFile(name: string, text: string): EditedFile {
  const path = join(mkdtempSync(join(tmpdir(), 'outreach-')), name);
  const write = (content: string) => writeFileSync(path, content, { mode: 0o600 });
  write(text);
  return { path, write, read: () => readFileSync(path, 'utf8'), remove: () => rmSync(dirname(path), { recursive: true }) };
}
