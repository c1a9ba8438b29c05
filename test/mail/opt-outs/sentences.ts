import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** One sentence of an answer to a campaign, written for these tests. */
export interface Sentence {
  /** ISO 639-1 code. */
  readonly language: string;
  readonly text: string;
  /** True if its author asks to get no more email. */
  readonly isRequest: boolean;
  /** True for the half that neither the rules nor the model were made with. */
  readonly isPutAside: boolean;
}

/** All sentences of `sentences/LANGUAGE.txt`; a line that begins with "+" is a request, one with "-" is none. */
export function sentences(): Sentence[] {
  const files = globSync(new URL('./sentences/*.txt', import.meta.url).pathname).sort();
  return files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line) => {
      const text = line.slice(2);
      return { language: basename(file, '.txt'), text, isRequest: line.startsWith('+ '), isPutAside: isPutAside(text) };
    });
  });
}

/** Half of the sentences, by hash, so that a sentence keeps its half whatever is added beside it. */
const isPutAside = (text: string) => ((createHash('sha256').update(text).digest()[0] as number) & 1) === 1;
