import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.ts';
import { terminalJson, terminalLine, terminalText } from '../../src/core/terminal-text.ts';
import { anyText } from '../support/any-text.ts';

/** One place cleans everything that goes to a terminal: control characters, C1 ones too, and bidirectional overrides. */

/** Clears the screen, sets the title, and so on: as ESC [ and as the one character CSI of C1. */
const ATTACKS = [
  '\u001b[2J',
  '\u009b2J',
  '\u001b]0;title\u0007',
  '\u009d0;title\u009c',
  '\rok',
  '\b\b',
  '\u007f',
  '\u202egpj.exe',
  '\u2066x\u2069',
];
const UNSAFE = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

describe('text for a terminal', () => {
  it.each(ATTACKS)('%j does nothing there', (attack) => {
    expect(terminalText(`a${attack}b`)).not.toMatch(UNSAFE);
    expect(terminalLine(`a${attack}b`)).not.toMatch(UNSAFE);
    expect(terminalJson(JSON.stringify([attack]))).not.toMatch(UNSAFE);
  });

  it('keeps lines and tabs, letters of every script, joined emoji, and the length of what it replaces', () => {
    const text = 'Grüße\n\tمی‌خواهم 日本 👩‍👩‍👧';
    expect(terminalText(text)).toBe(text);
    expect(terminalText('a\r\nb\u001b[1mc')).toBe('a\nb\ufffd[1mc');
  });

  it('a line is one line: a name can’t put a second result below its own', () => {
    expect(terminalLine('v=spf1\n\rok    secret: fine\u2028x')).toBe('v=spf1 ok    secret: fine x');
  });

  it('JSON means what it meant', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText(), (value, text) => {
        for (const spaces of [0, 2]) {
          const json = terminalJson(JSON.stringify({ value, text }, null, spaces));
          expect(json).not.toMatch(UNSAFE);
          expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
        }
      }),
    );
  });

  it('lines of the log are cleaned too', () => {
    const lines: string[] = [];
    createLogger('info', { write: (line) => void lines.push(line) }).info({ said: '\u009b2J\u202e' }, 'refused');
    expect(lines.join('')).not.toMatch(UNSAFE);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ said: '\u009b2J\u202e' });
  });

  it('lines of a log in text too, and no name puts a line of its own among them', () => {
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => void lines.push(line) }, 'text');
    log.info({ account_id: 3, said: 'no\u001b[2J\n2026 INFO forged', pass: 'x' }, 'refused');
    log.error({ err: new Error('a\nb') }, 'failed');
    expect(lines.join('')).not.toMatch(UNSAFE);
    expect(lines[0]).toMatch(/^\S+Z INFO {2}refused account_id=3 said="no\\u001b\[2J\\n2026 INFO forged" pass=\[redacted\]\n$/);
    expect(lines[1]?.split('\n')[0]).toMatch(/^\S+Z ERROR failed err="a\\nb"$/);
    expect(
      lines[1]
        ?.split('\n')
        .slice(1, -1)
        .every((line) => line.startsWith('    ')),
    ).toBe(true);
  });
});
