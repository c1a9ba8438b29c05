import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allBlocks, blocksOf, pages, pageText, ROOT } from '../support/docs.ts';

/** Pages that a test compares as a whole with what a program writes. */
const WRITTEN: Record<string, string> = { 'docs/cli.md': 'test/cli/commands.e2e.test.ts' };

const tests = globSync('test/**/*.test.{ts,tsx}', { cwd: ROOT })
  .map((path) => readFileSync(`${ROOT}/${path}`, 'utf8'))
  .join('\n');

describe('Every code block in the docs is run by a test', () => {
  const blocks = pages().flatMap(allBlocks);

  it.each(Object.entries(WRITTEN))('%s is held against what writes it, by %s', (page, test) => {
    expect(readFileSync(`${ROOT}/${test}`, 'utf8')).toContain(page);
  });

  it('no block says nothing of its language', () => {
    expect(blocks.filter(({ language }) => language === '')).toEqual([]);
  });

  it('a test asks for every page and language', () => {
    const asked = (page: string, language: string) => tests.includes(`blocksOf('${page}', '${language}')`);
    const unrun = blocks.filter(({ page, language }) => WRITTEN[page] === undefined && !asked(page, language));
    expect(unrun.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  });
});

it('ARCHITECTURE.md shows every room in its tree, and no other', () => {
  const [tree] = blocksOf('ARCHITECTURE.md', 'text');
  const [, src = ''] = (tree?.text ?? '').split('src/\n');
  const shown = [...src.matchAll(/^ {2}((?:[\w-]+\/ )+)/gm)].flatMap(([, names = '']) => names.trim().split(' '));
  const rooms = readdirSync(`${ROOT}/src`, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [`${entry.name}/`] : []));
  expect(shown.sort()).toEqual(rooms.sort());
});

it('ARCHITECTURE.md names only files and folders that are there', () => {
  const paths = [...pageText('ARCHITECTURE.md').matchAll(/`([a-z-]+\/[a-z0-9/.-]*)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(`${ROOT}/${path}`) && !existsSync(`${ROOT}/src/${path}`))).toEqual([]);
});

describe('Links in the docs', () => {
  /** As GitHub makes the anchor of a heading. */
  const anchors = (page: string) =>
    [...pageText(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

  it.each(pages())('%s: lead to files and headings that are there', (page) => {
    const text = pageText(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
    for (const [, link = ''] of text.matchAll(/\]\(((?!https?:)[^)\s]+)\)/g)) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      expect(existsSync(`${ROOT}/${target}`), link).toBe(true);
      if (anchor !== undefined) expect(anchors(target), link).toContain(anchor);
    }
  });

  it('docs/README.md names every page of the folder', () => {
    const index = pageText('docs/README.md');
    for (const page of pages().filter((name) => name.startsWith('docs/') && name !== 'docs/README.md'))
      expect(index).toContain(`](${page.slice('docs/'.length)})`);
  });
});

/** Packages of others that a page has npm install. That of this project is in no registry: whoever takes its name there is a stranger. */
const INSTALLED = ['@trpc/client'];

describe('Packages that the docs have npm install', () => {
  const asked = (text: string) =>
    [...text.matchAll(/\b(?:npm (?:install|i|add)|npx)((?: +[\w@./-]+)+)/g)]
      .flatMap(([, words = '']) => words.trim().split(/ +/))
      .filter((word) => !/^[-./]/.test(word));

  it('are found in a sentence', () => {
    expect(asked('`npm install outreach @trpc/client`, `npx outreach` or `npm install -g ./outreach-1.0.0.tgz`')).toEqual([
      'outreach',
      '@trpc/client',
      'outreach',
    ]);
  });

  it.each([...pages(), 'CHANGELOG.md', 'SECURITY.md'])('%s: are those that we mean', (page) => {
    expect(asked(pageText(page)).filter((name) => !INSTALLED.includes(name))).toEqual([]);
  });
});
