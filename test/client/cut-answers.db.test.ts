import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import ReplyAnswer from '../../commands/reply/answer.ts';
import { apiError } from '../../src/cli/client/api-error.ts';
import { createClient } from '../../src/client/create-client.ts';
import { once } from '../../src/client/repeat-cut-off.ts';
import { createApi } from '../../src/dashboard/connection.ts';
import { answerAction } from '../../src/dashboard/reply-actions.ts';
import type { ReplyLine } from '../../src/dashboard/reply-book.ts';
import { sql } from '../../src/db/statement.ts';
import { cuttingProxy } from '../support/cutting-proxy.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { runCommand } from '../support/run-command.ts';
import { servedInstallation } from '../support/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-cut-'));
afterAll(() => rmSync(folder, { recursive: true }));
const TEXT = join(folder, 'answer.txt');
writeFileSync(TEXT, 'Tuesday suits me.\n');

const world = await servedInstallation();
const { app } = world;
const proxy = await cuttingProxy(world.url, 'replies.answer');
const campaign = await insertCampaign(app);
let reply = 0;

beforeEach(async () => {
  reply = await insertReply(app, await insertEnrolment(app, campaign));
  proxy.asked.length = 0;
});

const answers = () => app.db.query(sql`select id from outbox where reply_id = ${reply}`);

describe('an answer whose connection is cut after the server has queued it', () => {
  it('is queued once by the command, which asks again under the same key', async () => {
    proxy.cut(2);
    const env = { OUTREACH_URL: proxy.url, OUTREACH_API_KEY: world.adminKey };
    const run = () => runCommand(ReplyAnswer, [String(reply), '--text-file', TEXT], env);
    const first = await run();
    // As a person does whose command has failed.
    if (first.status !== 0) await run();
    expect(await answers()).toHaveLength(1);
    expect(first.stdout).toContain('Answer to ada@example.com queued');
    expect(proxy.asked).toHaveLength(3);
    expect(new Set(proxy.asked.map(({ key }) => key))).toEqual(new Set([expect.any(String)]));
  });

  it('is queued once by the dashboard', async () => {
    const editor = join(folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\n{ echo "Tuesday."; cat "$1"; } > "$1.new" && mv "$1.new" "$1"\n', { mode: 0o755 });
    process.env.VISUAL = editor;
    proxy.cut(1);
    const line = { id: reply, from: 'ada@example.com' } as ReplyLine;
    const act = () => answerAction(line).run(createApi({ url: proxy.url, key: world.adminKey }), async (work) => void (await work()));
    await act().catch(act);
    expect(await answers()).toHaveLength(1);
  });

  it('is refused as every other: an error is no cut connection, and is not asked for again', async () => {
    const api = createClient({ url: proxy.url, key: world.adminKey, retries: 0 });
    await expect(api.replies.answer.mutate({ id: reply, text: '' }, once())).rejects.toThrow('text: must not be empty');
    expect(proxy.asked).toHaveLength(1);
  });

  it('is asked for no second time where nothing was reached', async () => {
    const api = createClient({ url: 'http://127.0.0.1:9', key: world.adminKey, retries: 0 });
    const error = await api.replies.answer.mutate({ id: reply, text: 'Yes' }, once()).catch((thrown: unknown) => apiError(thrown, 'there'));
    expect(error).toMatchObject({ message: expect.stringContaining('no Outreach server answers at there') });
  });
});
