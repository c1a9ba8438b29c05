import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import Notify from '../../../commands/notify.ts';
import { recordLimitReached } from '../../../src/accounts/index.ts';
import { completeFinishedCampaigns, pauseAccount } from '../../../src/campaigns/index.ts';
import { SECOND } from '../../../src/core/clock.ts';
import { keepHealth } from '../../../src/health/keep-health.ts';
import { changeReply } from '../../../src/replies/index.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertReply } from '../../support/rows.ts';
import { runCommand } from '../../support/run-command.ts';
import { servedInstallation } from '../../support/served.ts';
import { waitUntil } from '../../support/wait-until.ts';

const world = await servedInstallation();
const { app } = world;
const folder = mkdtempSync(join(tmpdir(), 'outreach-notify-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shown = join(folder, 'shown');
const remote = { OUTREACH_URL: world.url, OUTREACH_API_KEY: world.adminKey };

/** Installs a notify-send that records its arguments, one a line, and an empty line at the end. */
function installNotifySend(): string {
  writeFileSync(join(folder, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" '' >> '${shown}'\n`);
  chmodSync(join(folder, 'notify-send'), 0o755);
  return `${folder}:${process.env.PATH}`;
}
const text = () => (existsSync(shown) ? readFileSync(shown, 'utf8') : '');

it('tells of new replies and of accounts that stop, not of automatic replies, and gives nothing of strangers to a shell or as markup', async () => {
  const enrolment = await insertEnrolment(app, await insertCampaign(app));
  const old = await insertReply(app, enrolment, { subject: 'Before' });
  const ran = runCommand(Notify, ['--desktop'], { ...remote, PATH: installNotifySend() });
  const auto: number[] = [];
  await waitUntil('the first is shown', async () => {
    if (text() === '') {
      auto.push(await insertReply(app, enrolment, { kind: 'auto_reply', subject: 'Away' }));
      await insertReply(app, enrolment, { subject: '<b>$(touch x)</b>' });
    }
    return text() !== '';
  });
  const account = await insertAccount(app, { email: 'stopped@example.com' });
  await pauseAccount(app, world.caller, account);
  await waitUntil('the pause is shown', () => text().includes('stopped@example.com is paused'));
  process.emit('SIGTERM');
  const { status, stdout } = await ran;
  expect(status).toBe(0);
  expect(text()).toContain('&lt;b&gt;$(touch x)&lt;/b&gt;');
  expect(text()).toContain(`outreach account show ${account}`);
  for (const id of [old, ...auto]) expect(`${text()}\n`).not.toContain(`outreach reply show ${id}\n`);
  expect(stdout).toContain('stopped@example.com is paused');
});

it('tells of replies that get one of the labels, of accounts that reach their limit or turn bad, and of campaigns that end', async () => {
  const of = await insertCampaign(app);
  const reply = async (subject: string) => insertReply(app, await insertEnrolment(app, of), { subject });
  const [before, other, wanted] = [await reply('Labelled before'), await reply('Other label'), await reply('Splendid')];
  await changeReply(app, world.caller, before, { label: 'interested' });
  const ran = runCommand(Notify, ['--labels', 'interested, meeting', '--desktop'], { ...remote, PATH: installNotifySend() });
  const account = await insertAccount(app, { email: 'busy@example.com' });
  const checks = [{ check: 'spf', state: 'stop', detail: 'none', remedy: 'add it' }] as const;
  // Each in a second of its own: lines in the same second as the last one before the command count as already reported.
  let second = 0;
  await waitUntil('the limit is shown', async () => {
    if (text().includes('busy@example.com has reached')) return true;
    world.clock.advance(SECOND);
    await recordLimitReached(app, { id: account, workspaceId: 1, dailyLimit: 50 }, `day ${++second}`);
    return false;
  });
  await app.db.tx((tx) => keepHealth(tx, app, account, { checks, listsAskedAt: null }));
  const ended = await insertCampaign(app, { name: 'Fair', status: 'active', auto_reopen: false });
  await insertEnrolment(app, ended, { status: 'completed', due_at: null });
  await completeFinishedCampaigns(app);
  await changeReply(app, world.caller, other, { label: 'question' });
  await changeReply(app, world.caller, wanted, { label: 'meeting' });
  for (const part of ['The health of busy@example.com changed', 'Campaign "Fair" is completed', 'is labelled "meeting"'])
    await waitUntil(part, () => text().includes(part));
  process.emit('SIGTERM');
  expect((await ran).stdout).toContain('busy@example.com has reached its daily limit of 50  Emails that are due wait until its next day.');
  expect(text()).toContain(`outreach reply show ${wanted}`);
  for (const id of [before, other]) expect(`${text()}\n`).not.toContain(`outreach reply show ${id}\n`);
});

it('gives a test, and says when the desktop has no notify-send', async () => {
  const worked = await runCommand(Notify, ['--desktop', '--test'], { ...remote, PATH: installNotifySend() });
  expect([worked.status, text().includes('This is a test.')]).toEqual([0, true]);
  const failed = await runCommand(Notify, ['--desktop', '--test'], { ...remote, PATH: join(folder, 'nowhere') });
  expect(failed.status).not.toBe(0);
  expect(failed.stderr).toContain('notify-send is not installed here');
});
