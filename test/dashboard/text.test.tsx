import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { expect, it } from 'vitest';
import { type Column, Table } from '../../src/dashboard/table.tsx';
import { Text } from '../../src/dashboard/text.tsx';

/** The dashboard draws what strangers wrote: of it nothing but letters reaches the terminal. */

const EVIL = '\u001b[2J\u009b31m\u202eevil\u001b[31mred\rend';

it('text is cleaned, whatever it is put together of; the style is that of the props', () => {
  const frame = render(
    <Text bold>
      {'a '}
      {EVIL}
      {7}
      <Text>{EVIL}</Text>
    </Text>,
  ).lastFrame();
  expect(stripVTControlCharacters(frame ?? '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(frame).not.toContain('\u001b[31m');
  expect(frame).toContain('evil');
});

it('a table keeps each row on its line', () => {
  const columns: Column<{ id: number; name: string }>[] = [{ title: 'Name', width: 'grow', text: ({ name }) => name }];
  const rows = [{ id: 1, name: EVIL }];
  const frame = render(
    <Table rows={rows} columns={columns} selected={null} width={60} height={3} now="2026-01-01 00:00:00" empty="" />,
  ).lastFrame();
  expect(stripVTControlCharacters(frame ?? '').split('\n')[1]).toMatch(/evil .*red end/);
});
