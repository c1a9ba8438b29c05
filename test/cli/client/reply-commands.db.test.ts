import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { afterAll, describe, expect, it } from 'vitest';
import ReplyAnswer from '../../../commands/reply/answer.ts';
import ReplyApprove from '../../../commands/reply/approve.ts';
import ReplyAssign from '../../../commands/reply/assign.ts';
import ReplyConfirmOptOut from '../../../commands/reply/confirm-opt-out.ts';
import ReplyDiscard from '../../../commands/reply/discard.ts';
import ReplyDismiss from '../../../commands/reply/dismiss.ts';
import ReplyDraft from '../../../commands/reply/draft.ts';
import ReplyDrafts from '../../../commands/reply/drafts.ts';
import ReplyLabel from '../../../commands/reply/label.ts';
import ReplyLater from '../../../commands/reply/later.ts';
import ReplyList from '../../../commands/reply/list.ts';
import ReplyRead from '../../../commands/reply/read.ts';
import ReplyReclassify from '../../../commands/reply/reclassify.ts';
import ReplyRevise from '../../../commands/reply/revise.ts';
import ReplyShow from '../../../commands/reply/show.ts';
import ReplyUnread from '../../../commands/reply/unread.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../../support/rows.ts';
import { runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-answers-'));
afterAll(() => rmSync(folder, { recursive: true }));
const TEXT = join(folder, 'answer.txt');
writeFileSync(TEXT, 'Tuesday suits me.\n');

const world = await servedInstallation();
const { app } = world;
const ways = {
  here: { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET },
  there: { OUTREACH_URL: world.url, OUTREACH_API_KEY: world.adminKey },
};

describe.each(Object.entries(ways))('the commands about replies, %s', (_, env) => {
  it('list, show, label, assign, correct and answer one, and say so', async () => {
    const campaign = await insertCampaign(app, { name: `Fair ${_}` });
    const reply = String(await insertReply(app, await insertEnrolment(app, campaign)));
    await insertReply(app, await insertEnrolment(app, campaign), { kind: 'auto_reply' });
    const run = async (command: typeof Command, ...args: string[]) => runCommand(command, args, env);

    expect((await run(ReplyList, '--campaign', `fair ${_}`)).stdout).toMatch(/^ID +RECEIVED \(UTC\) .*\n\d+ .*ada@example\.com/);
    expect(JSON.parse((await run(ReplyList, '--campaign', `${campaign}`, '--kind', 'auto_reply', '--json')).stdout).data).toHaveLength(1);
    expect((await run(ReplyShow, reply)).stdout).toMatch(
      /<ada@example\.com>: Re: Hello \(reply \d+, unread\)[\s\S]*\n\nYes\n\n[\s\S]*step/,
    );
    expect((await run(ReplyLabel, reply, 'interested')).stdout).toBe(`Reply ${reply} is labelled "interested".\n`);
    expect((await run(ReplyAssign, reply, '1')).stdout).toBe(`Reply ${reply} is assigned to 1.\n`);
    expect(JSON.parse((await run(ReplyAssign, reply, 'nobody', '--json')).stdout)).toMatchObject({
      assigned_to: null,
      is_read: true,
      label: 'interested',
    });
    expect((await run(ReplyAssign, '--campaign', `${campaign}`, '--kind', 'auto_reply', '1')).stdout).toMatch(
      /^Reply \d+ is assigned to 1\.$/m,
    );
    await insertReply(app, await insertEnrolment(app, campaign));
    const both = await run(ReplyAssign, '--campaign', `${campaign}`, 'nobody', '--json');
    expect(JSON.parse(both.stdout)).toMatchObject({ data: [{ assigned_to: null }, { assigned_to: null }] });
    const ids = JSON.parse(both.stdout).data.map(({ id }: { id: number }) => String(id));
    expect((await run(ReplyAssign, ...ids, '1')).stdout).toBe('2 replies are assigned to 1.\n');
    expect(await run(ReplyAssign, reply, '--unread', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('name the replies by their ids'),
    });
    await run(ReplyAssign, ...ids, 'nobody');
    expect((await run(ReplyUnread, reply)).stdout).toBe('Marked 1 reply as unread.\n');
    expect(JSON.parse((await run(ReplyRead, reply, '--json')).stdout)).toMatchObject({ data: [{ id: Number(reply), is_read: true }] });
    expect((await run(ReplyLater, reply, '--until', '2099-01-05 09:00')).stdout).toBe(
      `Reply ${reply} of ada@example.com comes back at 2099-01-05 09:00 UTC.\n`,
    );
    expect((await run(ReplyLater, reply, '--until', 'none')).stdout).toBe(`Reply ${reply} is no longer put off.\n`);
    expect(await run(ReplyDismiss, reply)).toMatchObject({ stderr: expect.stringContaining('there is nothing to decide') });
    const [first, second] = await Promise.all(
      [1, 2].map(async () => String(await insertReply(app, await insertEnrolment(app, campaign), { may_ask_to_be_removed: true }))),
    );
    expect((await run(ReplyConfirmOptOut, first as string)).stdout).toContain('the address is suppressed');
    expect((await run(ReplyDismiss, second as string)).stdout).toContain('the contact continues');
    expect((await run(ReplyReclassify, reply, 'colleague')).stdout).toContain('is now marked as colleague');
    expect((await run(ReplyAnswer, reply, '--text-file', TEXT)).stdout).toContain('Answer to ada@example.com queued');
    expect((await run(ReplyShow, reply)).stdout).toMatch(/answer, queued .*Re: Hello/);
    const drafted = await run(ReplyDraft, reply, '--text-file', TEXT, '--json');
    const { id } = JSON.parse(drafted.stdout);
    expect((await run(ReplyDrafts)).stdout).toMatch(new RegExp(`^ID .*\n${id} .*Re: Hello +Tuesday suits me`));
    expect((await run(ReplyRevise, `${id}`, '--subject', 'Tuesday')).stdout).toContain('is changed');
    expect(await run(ReplyRevise, `${id}`)).toMatchObject({ stderr: expect.stringContaining('nothing to change') });
    const copied = ['--cc', 'boss@example.org', '--cc', 'cfo@example.org', '--attach', TEXT];
    expect((await run(ReplyRevise, `${id}`, ...copied)).stdout).toContain('is changed');
    expect((await run(ReplyDrafts)).stdout).toMatch(new RegExp(`${id} .*boss@example.org, cfo@example.org +answer.txt`));
    expect((await run(ReplyShow, reply)).stdout).toContain('Cc: boss@example.org, cfo@example.org\nAttached: answer.txt (18 bytes)\n');
    await run(ReplyRevise, `${id}`, '--cc', 'none', '--attach', 'none');
    expect((await run(ReplyShow, reply)).stdout).not.toContain('Cc: ');
    expect((await run(ReplyApprove, `${id}`)).stdout).toBe('Answer to ada@example.com queued. It is sent within seconds.\n');
    const other = JSON.parse((await run(ReplyDraft, reply, '--text-file', TEXT, '--json')).stdout);
    expect((await run(ReplyDiscard, `${other.id}`)).stdout).toBe(`Draft ${other.id} is discarded.\n`);
    expect((await run(ReplyAnswer, reply, '--text-file', TEXT, ...copied)).stdout).toContain(
      'Answer to ada@example.com, with a copy to boss@example.org and cfo@example.org queued.',
    );
    expect((await run(ReplyShow, reply)).stdout).toMatch(/answer, queued .*\nCc: boss@example.org, cfo@example.org\nAttached: answer.txt/);
    expect(await run(ReplyApprove, `${other.id}`)).toMatchObject({ stderr: expect.stringContaining(`draft ${other.id} not found`) });
    expect(await run(ReplyShow, 'x')).toMatchObject({ stderr: expect.stringContaining('is not the id of a reply') });
  });
});

it('of several replies, the error names the one that it is about, and how many before it are done', async () => {
  const campaign = await insertCampaign(app, { name: 'Several' });
  const [first, second] = [1, 2].map(() => insertEnrolment(app, campaign).then((enrolment) => insertReply(app, enrolment)));
  const ids = [String(await first), '999999', String(await second)];
  expect(await runCommand(ReplyLabel, [...ids, 'meeting'], ways.there)).toEqual({
    ...{ status: 1, stdout: '', stderr: 'outreach: 999999: reply not found; 1 of 3 is done\n' },
  });
  const shown = await runCommand(ReplyList, ['--campaign', 'Several', '--csv', '--columns', 'id,label'], ways.there);
  expect(shown.stdout.trim().split('\n').toSorted()).toEqual([`${ids[0]},meeting`, `${ids[2]},`, 'id,label'].toSorted());
});

it('label, read and unread take the filters of the list: "where other bulk commands take filters, reply label --search takes words only"', async () => {
  const campaign = await insertCampaign(app, { name: 'Bulk' });
  const [first, second, away] = [
    await insertReply(app, await insertEnrolment(app, campaign)),
    await insertReply(app, await insertEnrolment(app, campaign), { label: 'later' }),
    await insertReply(app, await insertEnrolment(app, campaign), { kind: 'auto_reply' }),
  ];
  const run = async (command: typeof Command, ...args: string[]) => {
    const { stdout, stderr, status } = await runCommand(command, args, ways.there);
    return status === 0 ? (JSON.parse(stdout).data as { id: number }[]).map(({ id }) => id).sort() : stderr;
  };
  expect(await run(ReplyUnread, '--campaign', 'Bulk', '--json')).toEqual([first, second].sort());
  expect(await run(ReplyLabel, 'meeting', '--campaign', 'bulk', '--label', 'later', '--unread', '--json')).toEqual([second]);
  expect(await run(ReplyLabel, 'meeting', '--campaign', 'bulk', '--label', 'later', '--json')).toBe(
    'outreach: no reply is found by --campaign and --label\n',
  );
  expect(await run(ReplyRead, '--campaign', `${campaign}`, '--kind', 'auto_reply', '--since', '2020-01-01', '--json')).toEqual([away]);
  expect(await run(ReplyRead, '--campaign', `${campaign}`, '--unread', '--json')).toEqual([first]);
  for (const args of [[], [`${first}`, '--campaign', 'Bulk']])
    expect(await run(ReplyRead, ...args)).toContain('name the replies by their ids, or choose them by');
});
