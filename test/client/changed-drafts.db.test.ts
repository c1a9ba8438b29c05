import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import ReplyRevise from '../../commands/reply/revise.ts';
import { createApi } from '../../src/dashboard/connection.ts';
import { answerAction } from '../../src/dashboard/reply-actions.ts';
import type { ReplyLine } from '../../src/dashboard/reply-book.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { runCommand } from '../support/run-command.ts';
import { servedInstallation } from '../support/served.ts';

// "`reply revise --editor` overwrites what somebody changed meanwhile." The dashboard sent it as well, even if nobody had changed the text there.

const folder = mkdtempSync(join(tmpdir(), 'outreach-drafts-'));
const { app, api, url, adminKey } = await servedInstallation();
const { isTTY } = process.stdin;
process.stdin.isTTY = true;
process.stderr.isTTY = true;
afterAll(() => {
  process.stdin.isTTY = isTTY;
  rmSync(folder, { recursive: true });
});

let reply = 0;
let draft = 0;
beforeEach(async () => {
  reply = await insertReply(app, await insertEnrolment(app, await insertCampaign(app)));
  draft = (await api.post(`/replies/${reply}/drafts`, { text: 'Tuesday?' })).body.id;
});

const textOf = async () => (await api.get(`/drafts/${draft}`)).body.body_text;

/** An editor while which a colleague changes the draft, and in which the person writes what is given. */
function editor(text: string): string {
  const path = join(folder, 'editor.sh');
  const change = `fetch('${url}/api/v1/drafts/${draft}', { method: 'PATCH', body: '{"text":"Friday?"}', headers: { Authorization: 'Bearer ${adminKey}', 'Content-Type': 'application/json' } })`;
  writeFileSync(path, `#!/bin/sh\n"${process.execPath}" -e "${change.replaceAll('"', '\\"')}"\nsed -i '1s/^/${text}/' "$1"\n`, {
    mode: 0o755,
  });
  return path;
}

it('reply revise refuses to overwrite it, and keeps what was written', async () => {
  const env = { OUTREACH_URL: url, OUTREACH_API_KEY: adminKey, VISUAL: editor('Monday? ') };
  const { status, stderr } = await runCommand(ReplyRevise, [String(draft), '--editor'], env);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /^outreach: somebody else has changed draft \d+ meanwhile; read it with: outreach reply show \d+.*; your answer is kept in /,
    ),
  });
  expect(await textOf()).toBe('Friday?');
});

it.each(['Monday? ', ''])('the dashboard neither overwrites it nor sends it unread: "%s"', async (text) => {
  process.env.VISUAL = editor(text);
  const line = { id: reply, from: 'ada@example.com' } as ReplyLine;
  const act = answerAction(line).run(createApi({ url, key: adminKey }), async (work) => void (await work()));
  await expect(act).rejects.toThrow(/somebody else has changed draft/);
  expect(await textOf()).toBe('Friday?');
});
