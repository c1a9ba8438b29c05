import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block of a page. */
export interface Block {
  /** `docs/tutorial.md`. */
  page: string;
  /** Line of the page on which it begins. */
  line: number;
  /** The info string of the fence: `sh`, `sh settings`, `json`. */
  language: string;
  text: string;
}

/** Every page that people read. */
export const pages = (): string[] => ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...globSync('docs/**/*.md', { cwd: ROOT })].sort();

export const pageText = (page: string): string => readFileSync(`${ROOT}/${page}`, 'utf8');

export function allBlocks(page: string): Block[] {
  const text = pageText(page);
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: content = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    text: content,
  }));
}

/**
 * Returns the blocks of a page in a language, for a test that runs them all. `test/docs/blocks.test.ts` finds the call by its text: a page
 * and a language that no test covers are an error.
 */
export function blocksOf(page: string, language: string): Block[] {
  const blocks = allBlocks(page).filter((block) => block.language === language);
  if (blocks.length === 0) throw new Error(`${page} has no block of ${JSON.stringify(language)}`);
  return blocks;
}
