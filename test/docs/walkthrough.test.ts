import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCampaigns } from '../../src/campaign-files/parse.ts';
import { reportText } from '../../src/cli/reports/report-text.ts';
import { MEASURES } from '../../src/events/index.ts';
import { reportRow } from '../../src/reports/report-row.ts';
import { blocksOf, pageText, ROOT } from '../support/docs.ts';

const screens = blocksOf('docs/walkthrough.md', 'text').map(({ text }) => text);
const typed = screens.flatMap((text) => [...text.matchAll(/^\$ outreach (.+)$/gm)].map(([, line = '']) => line));

/** The cells of a table, to its empty line. */
const cellsOf = (text: string): string[][] => (text.split('\n\n')[0] ?? '').split('\n').map((line) => line.trim().split(/ {2,}/));

describe('docs/walkthrough.md', () => {
  it('its file has no mistake, and is the campaign on the screens', () => {
    const [file] = blocksOf('docs/walkthrough.md', 'yaml');
    const { campaigns, mistakes } = parseCampaigns(file?.text ?? '');
    expect(mistakes).toEqual([]);
    const { name, accounts, hours, steps = [] } = campaigns[0]?.campaign ?? {};
    const applied = screens.find((text) => text.includes('Created campaign')) ?? '';
    expect(applied).toContain(`+name: ${name}\n+accounts: [${accounts?.join(', ')}]`);
    expect(applied).toContain(`+hours: ${hours}`);
    for (const { wait } of steps.slice(1)) expect(applied).toContain(`+  - wait: ${wait}`);
    expect(accounts).toHaveLength(5);
    expect(steps).toHaveLength(3);
  });

  it('its report is what the command prints of these figures', () => {
    const none = Object.fromEntries(MEASURES.map((name) => [name, 0])) as Record<(typeof MEASURES)[number], number>;
    const counted = (contacts: number) => reportRow({ ...none, contacts, sent: contacts }, 'contacts', { opened: false, clicked: true });
    const sent = { 'anna@us.example': 1, 'ben@us.example': 2, 'cleo@us.example': 2, 'dora@us.example': 1, 'emil@us.example': 3 };
    const rows = Object.entries(sent).map(([account_email, contacts]) => ({ account_email, ...counted(contacts) }));
    const answers = { answered: null, positive: null, asked_to_stop: null, labels: [] };
    const report = reportText({ by: 'account', answers, since: null, until: null, rows, total: counted(9) });
    const [, shown = ''] = screens.at(-1)?.split("$ outreach rotation report 'Spring fair'\n") ?? [];
    // A terminal of 100 columns leaves out those that have no room.
    const wide = cellsOf(report);
    const [headings = [], ...lines] = cellsOf(shown);
    const places = headings.map((heading) => wide[0]?.indexOf(heading) ?? -1);
    expect(places).not.toContain(-1);
    expect(lines).toEqual(wide.slice(1).map((row) => places.map((place) => row[place])));
    expect(shown.split('\n').at(-2)).toBe(report.split('\n').at(-1));
  });

  it.each(typed)('outreach %s: the command and its flags exist', async (line) => {
    const words = line.split(' ').filter((word) => /^[a-z-]+$/.test(word));
    const depth = [3, 2, 1].find((count) => existsSync(`${ROOT}/commands/${words.slice(0, count).join('/')}.ts`)) ?? 0;
    expect(depth, 'words of the command').toBeGreaterThan(0);
    const { default: command } = await import(`${ROOT}/commands/${words.slice(0, depth).join('/')}.ts`);
    const known = Object.keys({ ...command.baseFlags, ...command.flags });
    for (const [, flag = ''] of line.matchAll(/ --([a-z-]+)/g)) expect(known).toContain(flag);
  });
});

describe('docs/campaign-files.md', () => {
  it('each mistake of its table gives the message beside it', () => {
    const [, table = ''] = pageText('docs/campaign-files.md').split('| in the file | message |');
    const rows = [...table.matchAll(/^\| `(.+?)` \| `(.+?)` \|$/gm)];
    expect(rows.length).toBeGreaterThanOrEqual(15);
    for (const [, fragment = '', message] of rows) {
      const [first] = parseCampaigns(fragment.startsWith('name') ? fragment : `name: A\n${fragment}`).mistakes;
      expect(`${first?.field === '' ? '' : `${first?.field}: `}${first?.message}`, fragment).toBe(message);
    }
  });
});
