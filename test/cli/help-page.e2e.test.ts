import { readdirSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { Config, Help } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import { helpPage } from '../../src/cli/help-page.ts';
import { ROOT } from '../support/docs.ts';

const PROGRAM = new URL('../../bin/run.js', import.meta.url).href;
const OPTIONS = { root: ROOT, userPlugins: false, devPlugins: false };

/** The page as the library lays it out. */
async function laidOut(words: string[]): Promise<string> {
  let text = '';
  class Page extends Help {
    protected override log(line: string): void {
      text += `${line}\n`;
    }
  }
  await new Page(await Config.load(OPTIONS), { maxWidth: 80 }).showHelp(words);
  return stripVTControlCharacters(text);
}

const shown = (words: string[], columns?: number) => helpPage(words, PROGRAM, columns);

describe('help and version without the library', () => {
  it('every page is the one that the library lays out', async () => {
    const pages = readdirSync(new URL('../../dist/help', import.meta.url)).map((file) => file.replace('.txt', '').split(' ').slice(1));
    expect(pages.length).toBeGreaterThan(150);
    for (const path of pages) {
      const words = [...path, '--help'];
      expect(stripVTControlCharacters(shown(words) ?? ''), words.join(' ')).toBe(await laidOut(words));
    }
  });

  it('the version is that of the library, and so is the page of no words', async () => {
    const { userAgent } = await Config.load(OPTIONS);
    expect(shown(['--version'])).toBe(`${userAgent}\n`);
    expect(shown([])).toBe(shown(['--help']));
  });

  it('leaves to the library what is no page, and a terminal narrower than one', () => {
    expect(shown(['--help'], 80)).toContain('\u001b[1m');
    expect(shown(['--help'], 79)).toBeUndefined();
    for (const words of [
      ['nonsense', '--help'],
      ['campaign', 'list'],
      ['campaign', '--json', '--help'],
      ['../outreach', '--help'],
      ['complete', '--help'],
    ])
      expect(shown(words), words.join(' ')).toBeUndefined();
  });
});
