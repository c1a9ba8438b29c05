import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fitColumns } from '../../src/terminal/fit-columns.ts';
import type { Screen } from '../../src/terminal/screen.ts';
import { table } from '../../src/terminal/table.ts';
import { fill, textWidth } from '../../src/terminal/text-width.ts';

const NOW = new Date('2026-11-26T12:30:00Z');
const PIPE: Screen = { width: null, hasColors: false, isExact: true, timezone: null, now: NOW };
const atTerminal = (width: number): Screen => ({ ...PIPE, width, isExact: false });

const REPLY = {
  ...{ id: 42, received_at: '2026-11-26 12:29:27', is_read: false, kind: 'colleague', from: 'boss@moon79.example', label: 'not_now' },
  ...{
    subject: 'Re: Ada, quick question',
    snippet: 'My colleague forwarded me this. Please send details. On Monday, ben@globex.example wrote',
  },
};
const COLUMNS = ['id', 'received_at', 'is_read', 'kind', 'from', 'may_ask_to_be_removed', 'label', 'subject', 'snippet'];

describe('a table is as wide as the terminal', () => {
  it.each([60, 80, 100, 120, 200])('at %i columns each row is one line', (width) => {
    const lines = table(
      [REPLY, { ...REPLY, from: '李@株式会社.example', subject: '見積もりのお願い 👍🏽' }],
      COLUMNS,
      atTerminal(width),
    ).split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
    expect(lines[0]).toContain('SNIPPET');
    expect(lines[1]).toContain('42');
  });

  it('writes counts as sentences do, and what names a thing as it is: "`calendar` prints 1492 beside 1,492"', () => {
    expect(table([{ id: 14_920, emails: 1_492, free: 12, port: 2_525 }], ['id', 'emails', 'free', 'port'], PIPE).split('\n')[1]).toBe(
      '14920   1,492    12  2525',
    );
  });

  it('prints as many rows as a command reads: "--all  print the whole list"', () => {
    const rows = Array.from({ length: 150_000 }, (_, id) => ({ id }));
    expect(table(rows, ['id'], PIPE).split('\n').at(-1)).toBe('149999');
  });

  it('leaves nothing out where it is piped', () => {
    expect(table([REPLY], COLUMNS, PIPE)).toContain(REPLY.snippet);
  });

  it('pads by display width: "cells with 株式会社, 李 or emoji shift the rest of the line"', () => {
    const lines = table(
      [
        { name: '株式会社', email: 'a@b.example' },
        { name: 'Ada', email: 'a@b.example' },
      ],
      ['name', 'email'],
      PIPE,
    ).split('\n');
    const starts = lines.slice(1).map((line) => textWidth(line.slice(0, line.indexOf('a@b'))));
    expect(new Set(starts).size).toBe(1);
  });

  it('measures every character as the library does, though most texts are measured without it', () => {
    const characters = Array.from({ length: 0x3000 - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));
    const wrong = characters.filter((character) => textWidth(`a${character}b`) !== stringWidth(`a${character}b`));
    expect(wrong).toEqual([]);
    expect(fill('Zoë – Ada', 6)).toBe('Zoë –…');
  });

  it('leaves the least important columns out first, cuts texts before that, and keeps one', () => {
    const columns = [
      { natural: 4, least: 4, rank: 0 },
      { natural: 60, least: 12, rank: 1 },
      { natural: 19, least: 19, rank: 2 },
    ];
    expect(fitColumns(columns, 200, 2)).toEqual([4, 60, 19]);
    expect(fitColumns(columns, 60, 2)).toEqual([4, 33, 19]);
    expect(fitColumns(columns, 30, 2)).toEqual([4, 24, null]);
    expect(fitColumns(columns, 3, 2)).toEqual([3, null, null]);
  });

  it('leaves out a column without any value before those that say something', () => {
    const row = { campaign_name: 'Spring fair 2027', status: 'active', variant: null, next_send_at: '2026-11-26 12:35:00', why: null };
    const [headings = ''] = table([row], Object.keys(row), { ...PIPE, width: 38, isExact: false }).split('\n');
    expect(headings).toMatch(/^CAMPAIGN +STATUS +NEXT SEND/);
    expect(headings).not.toContain('WHY');
  });

  it('leaves out a column without any value before it cuts a text', () => {
    const row = { id: 1, name: 'Demo: three steps', status: 'completed', account_email: 'mia@outreach.example', starts_at: null };
    const lines = table([row], Object.keys(row), atTerminal(60)).split('\n');
    expect(lines[0]).toMatch(/^ID +NAME +STATUS +ACCOUNT$/);
    expect(lines[1]).toContain('Demo: three steps  ✓ completed  mia@outreach.example');
    expect(table([row], Object.keys(row), atTerminal(80))).toContain('STARTS');
  });

  it('cuts between characters as they are drawn', () => {
    expect(fill('👨‍👩‍👧 family', 4)).toBe('👨‍👩‍👧… ');
    expect(fill('株式会社', 4)).toBe('株… ');
  });
});

describe('a cell is for a person', () => {
  const cells = (row: object, columns: string[], screen = PIPE) => table([row], columns, screen).split('\n');

  it('has words as headings: "headings are wire names: STEP_ORDER, IS_LEAVING, IS_ARCHIVED, PAUSE_REASON"', () => {
    const [headings] = cells(
      {},
      ['step_order', 'is_leaving', 'is_archived', 'pause_reason', 'contact_count', 'created_at'],
      atTerminal(100),
    );
    expect(headings).toBe('STEP  LEAVING  ARCHIVED  PAUSED BY  CONTACTS  CREATED');
  });

  it('has no JSON: "cells are JSON: ["acme"], [1,2,3,4,5,6,7], [{"on":"label",…}]"', () => {
    const row = { tags: ['acme', 'us'], sending_days: [1, 2, 3, 4, 5, 6, 7], changes: { status: ['active', 'paused'], name: 'X' } };
    const [, line] = cells(row, ['tags', 'sending_days', 'changes']);
    expect(line).toBe('acme, us  every day     status: active → paused, name: X');
    expect(line).not.toMatch(/[[\]{}"]/);
  });

  it('shows a state with a sign and its colour, a time as an age, and both exactly elsewhere', () => {
    const row = { status: 'paused', last_polled_at: '2026-11-26 12:25:00' };
    expect(cells(row, ['status', 'last_polled_at'], atTerminal(80))[1]).toBe('‖ paused  5 min ago');
    expect(cells(row, ['status', 'last_polled_at'])).toEqual(['STATUS  POLLED (UTC)', 'paused  2026-11-26 12:25:00']);
    expect(cells(row, ['status'], { ...atTerminal(80), hasColors: true })[1]).toBe('\u001b[33m‖ paused\u001b[39m');
    const berlin = { ...PIPE, timezone: 'Europe/Berlin' };
    expect(cells(row, ['last_polled_at'], berlin)).toEqual(['POLLED (Europe/Berlin)', '2026-11-26 13:25']);
  });

  it('cleans what strangers wrote, colours or not', () => {
    const [, line] = cells({ name: '\u001b[31mred\u202e' }, ['name'], { ...atTerminal(80), hasColors: true });
    expect(line).toBe('[31mred');
  });
});
