import { Parser, Tokenizer } from 'htmlparser2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { SkippingTokenizer } from '../../src/mail/classify/html-tokenizer.ts';

/** All that the parser calls back, with neighbouring texts as one: where a text is divided means nothing. */
function events(html: string, tokenizer: typeof Tokenizer): string[] {
  const found: string[] = [];
  let text = '';
  const add = (event: string) => {
    found.push(`text ${text}`, event);
    text = '';
  };
  const parser = new Parser(
    {
      ontext: (more) => {
        text += more;
      },
      onopentagname: (name) => add(`open ${name}`),
      onclosetag: (name) => add(`close ${name}`),
    },
    { Tokenizer: tokenizer },
  );
  parser.end(html);
  add('end');
  return found;
}

const PIECES = [
  'words of a text', ' ', '&amp;', '&', '&nbsp', '&#8364;', '&nope;', '&lt;b', '<', '>', '<p>', '</p>', '<br/>', '<a href="a > b & c">', '</a>',
  "<b title='&amp;'>", '<script>', '</script>', '<title>', '</title>', '<textarea>', '</textarea>', '<style>', '</style>', '<!--', '-->', '<!DOCTYPE html>',
  '<![CDATA[', ']]>', '<?', '</', '<td', ' x=', '"', '<Tr\t>', '</tR>', '<h1 a=b/c d e="">', '<img\f/>', '<titles>', '</p >', '<scripts a>', '<x-y>', ' =', 'é', '\ud83d\ude00',
]; // biome-ignore format: a table

afterEach(() => vi.restoreAllMocks());

describe('an upgrade of htmlparser2 makes reading messages slower or wrong unless', () => {
  it('its parser says the same with the tokenizer that skips', () => {
    const random = seededRandom(20_261_123);
    for (let run = 0; run < 3_000; run++) {
      const html = Array.from({ length: random.integer(1, 20) }, () => PIECES[random.integer(0, PIECES.length - 1)]).join('');
      expect(events(html, SkippingTokenizer), html).toEqual(events(html, Tokenizer));
    }
  });

  it('the tokenizer asks about the characters of a text that it does not skip', () => {
    const asked = vi.spyOn(Tokenizer.prototype as unknown as { stateText(code: number): void }, 'stateText');
    events(`${'words '.repeat(100)}<b>${'more '.repeat(100)}&amp; end</b>`, SkippingTokenizer);
    expect(asked).toHaveBeenCalledTimes('<&<'.length);
  });

  it('the tokenizer asks about no character of a tag that is taken as a whole', () => {
    const prototype = Tokenizer.prototype as unknown as { stateBeforeTagName(code: number): void };
    const asked = vi.spyOn(prototype, 'stateBeforeTagName');
    events('<td width=1 class="a b"><a href=\'x\'>text</a></td>', SkippingTokenizer);
    expect(asked).not.toHaveBeenCalled();
    events('<script>', SkippingTokenizer);
    expect(asked).toHaveBeenCalledOnce();
  });
});
