import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * The folders of sentences. True for held-out sets, which neither the lexicons nor the model were made with. The earlier exams were held
 * out, too, until their mistakes had been read, because an exam is of use only once. After the seventh, the three answers that were
 * mistaken for certain requests were fixed. Nobody has read the eighth, the ninth and the tenth since they were written. The tenth and
 * `everyday-words` have the same author, who wrote the tenth first. The author of the eleventh had read neither the lexicons, the model nor
 * other sets. Sentences of `further-words` that also were in a held-out set were removed unread.
 */
const FOLDERS = {
  ...{ sentences: false, exam: false, 'second-exam': false, 'third-exam': false, 'fourth-exam': false, 'fifth-exam': false },
  ...{ 'sixth-known': false, 'sixth-exam': false, 'own-words': false, 'everyday-words': false, 'further-words': false },
  ...{ 'seventh-exam': true, 'eighth-exam': true, 'ninth-exam': true, 'tenth-exam': true, 'eleventh-exam': true },
};

/** One sentence of an answer to a campaign, written for these tests. */
export interface Sentence {
  /** ISO 639-1 code. */
  readonly language: string;
  readonly text: string;
  /** True if its author opts out. */
  readonly isRequest: boolean;
  /** True if it is held out: neither the rules nor the model were made with it. */
  readonly isPutAside: boolean;
  /** Its folder. The sentences of a folder were written together, with the same meanings in each language. */
  readonly set: string;
}

/** Reads all sentences of `FOLDER/LANGUAGE.txt`. A line that begins with "+" is a request, a line that begins with "-" is not. */
export const sentences = (): Sentence[] => Object.entries(FOLDERS).flatMap(([folder, isPutAside]) => inFolder(folder, isPutAside));

function inFolder(folder: string, isPutAside: boolean): Sentence[] {
  const files = globSync(new URL(`./${folder}/*.txt`, import.meta.url).pathname).sort();
  return files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((text) => ({
      ...{ set: folder, isPutAside },
      ...{ language: basename(file, '.txt'), text: text.slice(2), isRequest: text.startsWith('+ ') },
    }));
  });
}
