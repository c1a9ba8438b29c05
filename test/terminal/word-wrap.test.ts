import { describe, expect, it } from 'vitest';
import { factsText } from '../../src/terminal/facts.ts';
import { textWidth } from '../../src/terminal/text-width.ts';
import { wrapText } from '../../src/terminal/word-wrap.ts';

const WARNING =
  'warn  replies go to sender-1@example.com, whose mailbox is not polled: replies and bounces will go unnoticed, so connect it with IMAP';

describe('what is printed at a terminal "wraps at words, by one rule where text is printed"', () => {
  it.each([40, 60, 80, 100])('at %i columns no line is wider, and no word is broken', (width) => {
    const lines = wrapText(WARNING, width).split('\n');
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).toBe(WARNING.replaceAll(/ +/g, ' '));
  });

  it('goes on below the beginning of what follows a label, an indent or the sign of a list', () => {
    expect(wrapText(WARNING, 80).split('\n')[1]).toMatch(/^ {6}\S/);
    expect(wrapText(`- ${'word '.repeat(30)}`, 80).split('\n')[1]).toMatch(/^ {2}word/);
    expect(wrapText(`    ${'word '.repeat(30)}`, 80).split('\n')[1]).toMatch(/^ {4}word/);
    expect(wrapText('word '.repeat(30), 80).split('\n')[1]).toMatch(/^word/);
  });

  it('leaves lines that fit as they are, with their spaces, and everything where there is no terminal', () => {
    const table = 'ID  EMAIL              STATUS  \n1   ada@example.com    active';
    expect(wrapText(table, 80)).toBe(table);
    expect(wrapText(WARNING, null)).toBe(WARNING);
  });

  it('keeps in one piece what is copied: a command broken in two would be run as its first half', () => {
    const hint = 'the workspace has no postal address; set one with: outreach workspace set --postal-address ADDRESS; emails need it';
    expect(wrapText(hint, 80).split('\n')).toEqual([
      'the workspace has no postal address; set one with:',
      'outreach workspace set --postal-address ADDRESS; emails need it',
    ]);
    for (let width = 60; width < 120; width++) {
      const widths = wrapText(`warn  ${hint}`, width).split('\n').map(textWidth);
      expect(Math.max(...widths), String(width)).toBeLessThanOrEqual(width);
    }
    const long = `Next: outreach campaign step add 1 --subject "…" --text-file FILE --workspace "A workspace with a long name"`;
    expect(wrapText(long, 80).split('\n')).toEqual(['Next:', long.slice('Next: '.length)]);
  });

  it('keeps a command in one piece in the facts of a record, and a DNS record everywhere', () => {
    const facts = factsText(
      [['Postal address', 'none; emails need one in many countries, set it with: outreach workspace set --postal-address TEXT']],
      {
        width: 80,
      },
    );
    expect(facts).toMatch(/^ +outreach workspace set --postal-address TEXT$/m);
    const record = `key._domainkey.acme.example. IN TXT ( "v=DKIM1; k=rsa; p=${'A'.repeat(150)}" "${'B'.repeat(150)}" )`;
    expect(wrapText(record, 80)).toBe(record);
  });

  it.each([
    '  outreach account connect you@example.com --smtp-url smtps://you%40example.com@smtp.example.com --imap-url imaps://you@imap.example.com',
    'OUTREACH_URL=http://127.0.0.1:39603 OUTREACH_API_KEY=ork_fc6N4VNG4br94lSqrNay8LNSdyip2GLVba88b924 outreach campaign list',
  ])('keeps a command on a line of its own in one piece: %s', (line) => expect(wrapText(line, 80)).toBe(line));

  it('breaks what a command does, beside it', () => {
    const [first, ...more] = wrapText(`  outreach campaign activate NAME  ${'starts sending '.repeat(6)}`, 80).split('\n');
    expect(first).toMatch(/^ {2}outreach campaign activate NAME {2}starts/);
    expect(more.length).toBe(1);
  });

  it('measures what is seen: scripts two columns wide, and colours of none', () => {
    const lines = wrapText('株式会社 '.repeat(20), 80).split('\n');
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(80);
    const colored = `\u001b[1m${'word '.repeat(15)}word\u001b[22m`;
    expect(wrapText(colored, 80)).toBe(colored);
  });
});
