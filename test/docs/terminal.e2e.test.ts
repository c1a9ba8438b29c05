import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CAMPAIGN_COLUMNS } from '../../src/dashboard/columns.ts';
import { GLOBAL_KEYS, KEYS } from '../../src/dashboard/views.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type Block, blocksOf, pageText } from '../support/docs.ts';
import { hasTmux, openTerminal, type Terminal } from '../support/terminal.ts';

let installation: TestInstallation;
let daemon: Daemon;
let terminal: Terminal | undefined;

beforeAll(async () => {
  installation = await testInstallation();
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
});
afterEach(() => terminal?.close());
afterAll(() => daemon?.stop());

describe.runIf(hasTmux)('what a page has typed at a terminal', () => {
  const blocks: Block[] = [...blocksOf('docs/dashboard.md', 'sh terminal'), ...blocksOf('docs/tutorial.md', 'sh terminal')];

  it.each(blocks)('$page:$line opens the dashboard', async ({ text }) => {
    const words = text.trim().split(' ');
    const program = words.indexOf('outreach');
    const key: Record<string, string> = program === 0 ? {} : { OUTREACH_API_KEY: installation.adminKey };
    if (program > 0) expect(words.slice(0, program)).toEqual([expect.stringMatching(/^OUTREACH_API_KEY=/)]);
    const args = words.slice(program + 1).map((word) => (word.startsWith('https://') ? (daemon.url ?? '') : word));
    terminal = openTerminal(installation, args, key);
    await terminal.shows(/● live/, 60);
    terminal.press('q');
    expect((await terminal.end(60)).status).toBe(0);
  });
});

describe('docs/dashboard.md', () => {
  it('its pictures are those that docs/pictures.sh makes, of the dashboard as it is now', () => {
    const names = [...pageText('docs/dashboard.md').matchAll(/^<!-- (\w+) -->$/gm)].map(([, name]) => name);
    expect(pageText('docs/pictures.sh')).toContain(`of [${names.map((name) => `'${name}'`).join(', ')}]`);
    const [campaigns, campaign, ...others] = blocksOf('docs/dashboard.md', 'text').map(({ text }) => text);
    expect(others).toEqual([]);
    const footer = (keys: typeof GLOBAL_KEYS) => [...keys, ...GLOBAL_KEYS].map(([key, does]) => `${key} ${does}`).join('  ');
    expect(campaigns).toContain(footer(KEYS.campaigns));
    expect(campaign).toContain(footer(KEYS.campaign));
    const shown = CAMPAIGN_COLUMNS.filter(({ rank = 0 }) => rank <= 4).map(({ title }) => title);
    expect(campaigns).toMatch(new RegExp(shown.join(' +')));
  });
});
