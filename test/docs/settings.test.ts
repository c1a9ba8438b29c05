import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { pageText } from '../support/docs.ts';

/** The names that the refusal of an unknown setting lists. */
function knownSettings(): string[] {
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-config-'));
  try {
    writeFileSync(join(dataDir, 'outreach.toml'), 'colour = "red"');
    loadConfig({ dataDir }, {});
    return [];
  } catch (error) {
    return (/known settings: (.*)/.exec(String(error))?.[1] ?? '').split(', ');
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

it('docs/settings.md names every setting and its environment variable, and no other', () => {
  const rows = pageText('docs/settings.md')
    .split('\n')
    .flatMap((line) => (/^\|.*`/.test(line) ? [line.split('|')] : []));
  const inCode = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const settings = rows
    .slice(1)
    .flatMap(([, names]) => inCode(names))
    .map((name) => name.replace('.', '_'));
  expect(settings.sort()).toEqual(knownSettings().sort());
  const variables = rows.flatMap(([, , names]) => inCode(names)).filter((name) => /^[A-Z_]+$/.test(name));
  const read = [...pageText('src/core/settings.ts').matchAll(/env: '(\w+)'/g)].map(([, name]) => name);
  expect(variables.sort()).toEqual([...read, 'OUTREACH_DATA_DIR', 'OUTREACH_SETTINGS_FILE'].sort());
});
