import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import Notify from '../../../commands/notify.ts';
import { pauseAccount } from '../../../src/campaigns/index.ts';
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

/** A notify-send that writes down what it is given, an argument a line, and an empty line at the end. */
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

it('gives a test, and says when the desktop has no notify-send', async () => {
  const worked = await runCommand(Notify, ['--desktop', '--test'], { ...remote, PATH: installNotifySend() });
  expect([worked.status, text().includes('This is a test.')]).toEqual([0, true]);
  const failed = await runCommand(Notify, ['--desktop', '--test'], { ...remote, PATH: join(folder, 'nowhere') });
  expect(failed.status).not.toBe(0);
  expect(failed.stderr).toContain('notify-send is not installed here');
});
