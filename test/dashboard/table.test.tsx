import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { expect, it } from 'vitest';
import { EVENT_COLUMNS } from '../../src/dashboard/columns.ts';
import { Table } from '../../src/dashboard/table.tsx';
import type { LiveEvent } from '../../src/live/index.ts';

const NOW = '2026-07-07 12:00:00';
const event = (id: number, url: string | null) =>
  ({
    ...{ id, type: url === null ? 'sent' : 'clicked', timestamp: NOW, url, step_order: 1 },
    ...{ contact_email: 'ferdinand.costa@analytical.example', campaign_name: 'Spring fair' },
  }) as LiveEvent;

it('no address is cut for a column that is blank in sight: "addresses cut to anna@globex.exam… beside blank ones"', () => {
  const rows = [event(4, null), event(3, null), event(2, null), event(1, 'https://acme.example/a-page-of-many-words')];
  const shown = (selected: number) =>
    stripVTControlCharacters(
      render(<Table rows={rows} columns={EVENT_COLUMNS} selected={selected} width={100} height={4} now={NOW} empty="" />).lastFrame() ?? '',
    );
  expect(shown(4)).toContain('ferdinand.costa@analytical.example');
  expect(shown(1), 'a link in sight has its room').toContain('https://acme');
});
