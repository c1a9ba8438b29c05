import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import CampaignReport from '../../../commands/campaign/report.ts';
import Report from '../../../commands/report/index.ts';
import ReportLinks from '../../../commands/report/links.ts';
import ReportRevoke from '../../../commands/report/revoke.ts';
import ReportShare from '../../../commands/report/share.ts';
import RotationReport from '../../../commands/rotation/report.ts';
import { recordEvents } from '../../../src/events/index.ts';
import { blocksOf } from '../../support/docs.ts';
import { eventOf, insertCampaign, insertEnrolment, joinInGroup } from '../../support/rows.ts';
import { runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';

const world = await servedInstallation();
const { app } = world;
const here = { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
const there = { OUTREACH_URL: world.url, OUTREACH_API_KEY: world.adminKey };

let campaign: number;
beforeAll(async () => {
  campaign = await insertCampaign(app, { name: 'Spring fair' });
  await joinInGroup(app, [campaign]);
  const enrolment = await insertEnrolment(app, campaign);
  await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'sent'), eventOf(app, enrolment, 'replied')]));
});

describe('the commands of reports', () => {
  it.each([
    ['campaign report', CampaignReport, () => ['spring fair', '--by', 'day']],
    ['campaign report --csv', CampaignReport, () => ['Spring fair', '--by', 'domain', '--csv']],
    ['rotation report', RotationReport, () => [String(campaign)]],
    ['report', Report, () => ['--since', '2026-07-01']],
  ] as const)('%s prints the same on this machine and from a server', async (_, command, args) => {
    const local = await runCommand(command, args(), here);
    expect(local).toMatchObject({ status: 0, stderr: '' });
    expect(local.stdout).toMatch(/REPLIED|replied_rate/);
    expect(await runCommand(command, args(), there)).toEqual(local);
  });

  it('--html writes a page, which names the campaign', async () => {
    const file = join(world.dataDir, 'report.html');
    expect(await runCommand(CampaignReport, ['Spring fair', '--html', file], there)).toMatchObject({
      status: 0,
      stderr: `Wrote ${file}\n`,
    });
    expect(readFileSync(file, 'utf8')).toMatch(/<h1>Spring fair<\/h1>/);
    expect(await runCommand(CampaignReport, ['Spring fair', '--html', '/nowhere/report.html'], there)).toMatchObject({ status: 2 });
    expect(existsSync('/nowhere')).toBe(false);
  });

  it('a link is made, listed and revoked; its address is shown once', async () => {
    const made = await runCommand(ReportShare, ['Spring fair', '--expires', '30d', '--json'], there);
    const { id, url, expires_at } = JSON.parse(made.stdout);
    expect(expires_at).toMatch(/^20/);
    expect((await runCommand(ReportShare, ['Spring fair'], here)).stdout).toMatch(
      /\/r\/[\w-]{43}\nAnyone with this link .* outreach report revoke \d+/,
    );
    // "The link is for a client", who can't open an address that means the machine itself.
    expect((await runCommand(ReportShare, ['Spring fair'], here)).stdout).toContain('Warning: only this machine can open it');
    const shared = await runCommand(ReportShare, ['Spring fair'], { ...here, OUTREACH_BASE_URL: 'https://mail.example.com' });
    expect(shared.stdout).toMatch(/^https:\/\/mail\.example\.com\/r\//);
    expect(shared.stdout).not.toContain('Warning');
    const list = await runCommand(ReportLinks, ['--json'], here);
    expect(list.stdout).not.toContain(url.split('/').at(-1));
    expect(await runCommand(ReportRevoke, [String(id)], there)).toMatchObject({ status: 0, stdout: expect.stringContaining('is revoked') });
    expect(JSON.parse((await runCommand(ReportLinks, ['--json'], there)).stdout).data[0].revoked_at).not.toBeNull();
    expect(await runCommand(ReportRevoke, ['x'], there)).toMatchObject({ stderr: expect.stringContaining('is not the id of a link') });
  });

  it('all campaigns are a page, with who made it and their logo; --by label prints who answered', async () => {
    const [file, logo] = [join(world.dataDir, 'all.html'), join(world.dataDir, 'logo.png')];
    writeFileSync(logo, 'PNG');
    const args = ['--html', file, '--sender', 'Miller & Co', '--logo', logo];
    expect(await runCommand(Report, args, there)).toMatchObject({ status: 0, stderr: `Wrote ${file}\n` });
    expect(readFileSync(file, 'utf8')).toMatch(
      /data:image\/png;base64,UE5H" alt="Miller &amp; Co"[\s\S]*Report by Miller &amp; Co[\s\S]*By campaign/,
    );
    expect(await runCommand(Report, [...args.slice(0, 4), '--logo', join(world.dataDir, 'logo.bmp')], there)).toMatchObject({
      stderr: expect.stringContaining('must end in'),
    });
    expect((await runCommand(Report, ['--by', 'label'], here)).stdout).toMatch(
      /^WHO .*\nreplied, not to stop +0 .*\npositive .*\nasked to stop/,
    );
  });

  it('--csv prints nothing on stdout where there are no rows', async () => {
    const ran = await runCommand(Report, ['--since', '2019-01-01', '--until', '2019-01-02', '--csv'], here);
    expect(ran).toEqual({ status: 0, stdout: '', stderr: 'No emails were sent.\n' });
  });

  it.each([
    ['report', Report, () => []],
    ['campaign report', CampaignReport, () => [String(campaign)]],
    ['rotation report', RotationReport, () => [String(campaign)]],
  ] as const)('%s: --csv prints CSV by label too', async (_, command, args) => {
    const { stdout } = await runCommand(command, [...args(), '--by', 'label', '--csv'], here);
    expect(stdout.replaceAll('\r', '')).toMatch(
      /^who,label,is_positive,contacts,of,rate,low,high\nanswered,,,0,.*\npositive,,,0,.*\nasked_to_stop,,,0,.*\n$/,
    );
  });

  it('docs/reports.md: its commands run', async () => {
    const commands = { 'campaign report': CampaignReport, 'rotation report': RotationReport, report: Report };
    const lines = blocksOf('docs/reports.md', 'sh').flatMap(({ text }) => text.trim().split('\n'));
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      const [, name = '', rest = ''] = /^outreach (campaign report|report)(.*)$/.exec(line) ?? [];
      const args = rest.replace(' 7', ` ${campaign}`).replace('spring-fair.html', join(world.dataDir, 'doc.html')).trim().split(' ');
      expect(await runCommand(commands[name as keyof typeof commands], args, here), line).toMatchObject({ status: 0 });
    }
  });

  it('a time that cannot be read is refused by the name of its flag', async () => {
    const { status, stderr } = await runCommand(Report, ['--since', 'soon'], here);
    expect([status, stderr]).toEqual([expect.any(Number), expect.stringMatching(/--since: must be a time such as 2026-01-31/)]);
    expect(status).not.toBe(0);
  });
});
