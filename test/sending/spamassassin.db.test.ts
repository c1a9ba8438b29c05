import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkCampaign } from '../../src/campaigns/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { paragraphsOf } from '../../src/html/paragraphs.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

/**
 * "SpamAssassin's figures for a first email and a follow-up in the tests (the rules that fire are named in `check` where the author can
 * change them)".
 */

const hasSpamAssassin = spawnSync('spamassassin', ['--version']).status === 0;
if (!hasSpamAssassin) console.warn('spamassassin is missing: no email is judged by it');

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation({ baseUrl: 'https://links.example' });
  ({ sink } = await startMailServers());
});

const FIRST = `Hello {{first_name}},

I read that you look for engineers in Leeds. We find people who stay: of the forty whom we placed last year, thirty-eight are still there.

Would a call of ten minutes next week suit you? https://example.com/people

Best regards,
Zoe Example, Example Ltd, 1 High Street, Leeds

If you do not want to hear from me again: {{unsubscribe_url}}`;
const FOLLOW_UP =
  'Hello {{first_name}},\n\ndid you see my email? I am happy to send two profiles first.\n\nBest regards,\nZoe\n\n{{unsubscribe_url}}';

/** The relay signs every email: without a signature, a short email with List-Unsubscribe gets a point (LIST_PARTIAL_SHORT_MSG). */
const SIGNED = 'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=relay; h=from:to:subject; bh=AA==; b=AA==\r\n';

/** Returns the points and the rules that scored, by SpamAssassin's own rules without network tests. */
function judged(raw: Buffer): { points: number; rules: string[] } {
  const { stdout } = spawnSync('spamassassin', ['--local', '--test-mode'], { input: SIGNED + raw.toString('latin1'), encoding: 'utf8' });
  const rules = Array.from(stdout.matchAll(/^ *(-?\d+\.\d) ([A-Z][A-Z0-9_]+) /gm), ([, points, rule]) => ({
    points: Number(points),
    rule,
  }));
  return {
    points: Number(/score=(-?[\d.]+)/.exec(stdout)?.[1]),
    rules: rules.flatMap(({ points, rule }) => (points > 0 ? [rule ?? ''] : [])),
  };
}

describe.runIf(hasSpamAssassin)('a first email and its follow-up, judged by SpamAssassin', () => {
  const sent = async (campaign: { track_opens: boolean; track_clicks: boolean }) => {
    installation.clock.set(TEST_START);
    sink.messages.length = 0;
    const steps = [
      { subject: 'Engineers for {{company|your team}}', body_html: paragraphsOf(FIRST) },
      { wait_days: 1, body_html: paragraphsOf(FOLLOW_UP) },
    ];
    const sender = await startSender(installation, sink, { campaign, steps });
    await sender.batch();
    installation.clock.advance(3 * DAY);
    await sender.batch();
    expect(sink.messages).toHaveLength(2);
    const warnings = await checkCampaign(installation.app, installation.caller, sender.campaignId);
    return { judgements: sink.messages.map(({ raw }) => judged(raw)), checked: warnings.map(({ message }) => message).join('\n') };
  };

  it('get no points by what Outreach adds: headers, structure, tracked links', async () => {
    const { judgements } = await sent({ track_opens: false, track_clicks: true });
    console.log(JSON.stringify(judgements));
    for (const { points, rules } of judgements) expect({ points, rules }).toEqual({ points: expect.closeTo(0, 0), rules: [] });
  });

  it('get some by the image that tracks opens in a short text, which `campaign check` says', async () => {
    const { judgements, checked } = await sent({ track_opens: true, track_clicks: false });
    console.log(JSON.stringify(judgements));
    for (const rule of judgements.flatMap(({ rules }) => rules)) expect(rule).toMatch(/^HTML_IMAGE_ONLY_/);
    for (const { points } of judgements) expect(points).toBeLessThan(2.5);
    expect(checked).toContain('HTML_IMAGE_ONLY');
  });
});
