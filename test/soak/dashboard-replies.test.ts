import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

const world = await servedInstallation();
const { app } = world;
const folder = mkdtempSync(join(tmpdir(), 'outreach-pane-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Letters that terminals draw wider than they are measured, joined and wide ones, flags, and sequences that move the cursor. */
const HOSTILE = `\u001b[2J\u009b31m\u202e\r ${'नमस्ते हिन्दी '.repeat(30)} ${'👩‍👩‍👧‍👦🇩🇪'.repeat(40)} ${'漢字'.repeat(80)} e${'\u0301'.repeat(200)}`;

describe.runIf(hasTmux)('the replies of the dashboard, in a real terminal', () => {
  it('a hostile reply leaves every other line in its place; the editor has the terminal meanwhile', { timeout: 120_000 }, async () => {
    const editor = join(folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\necho EDITOR; read answer; sed -i "1s/^/$answer/" "$1"\n', { mode: 0o755 });
    const enrolment = await insertEnrolment(app, await insertCampaign(app));
    const texts = { sender_name: HOSTILE, subject: HOSTILE, own_text: HOSTILE, label: HOSTILE.slice(0, 50) };
    await insertReply(app, enrolment, { ...texts, full_text: `${HOSTILE}\n`.repeat(20) });
    const shown = openTerminal(world, ['dashboard', '--url', world.url], { OUTREACH_API_KEY: world.adminKey, VISUAL: editor });
    try {
      const isWhole = (screen: string) => {
        const lines = screen.trimEnd().split('\n');
        expect(lines[0]).toMatch(/^Outreach ● live .* UTC$/);
        expect(lines[1]).toContain('[4 Replies 1]');
        expect(lines).toHaveLength(30);
        expect(lines.at(-1)).toMatch(/q quit$/);
      };
      await shown.shows(/● live/);
      shown.press('4');
      isWhole(await shown.shows(/▸●/));
      shown.press('Enter');
      isWhole(await shown.shows(/lines 1 to/));
      for (const key of ['Down', 'Down', 'PageDown', 'End', 'PageUp']) shown.press(key);
      isWhole(await shown.shows(/lines \d\d+ to/));
      shown.press('a');
      await shown.shows(/EDITOR/);
      shown.type('Tuesday.');
      shown.press('Enter');
      await shown.shows(/the answer to ada@example.com is queued/);
      expect(await app.db.query(sql`select body_html from answers`)).toMatchObject([{ body_html: expect.stringContaining('Tuesday.') }]);
      shown.press('q');
      expect((await shown.end()).status).toBe(0);
    } finally {
      shown.close();
    }
  });
});
