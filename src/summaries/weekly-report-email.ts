import type { Caller, Recipient, SystemEmail } from '../access/index.ts';
import type { App } from '../app.ts';
import { DAY } from '../core/clock.ts';
import { grouped, quantity } from '../core/english.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { campaignPage, type ReportCounts, workspacePage } from '../reports/index.ts';

/**
 * Writes the email with a weekly report of what the caller may see: on one campaign since its start, or on all campaigns in the last seven
 * days. Throws `not_found` for a campaign that the caller can't see.
 */
export async function weeklyReportEmail(
  app: App,
  caller: Caller,
  { email, workspace }: Recipient,
  campaignId: number | null,
): Promise<SystemEmail> {
  const now = app.clock.now();
  const days = { since: new Date(now.getTime() - 7 * DAY), until: now };
  const { page, name, total } =
    campaignId === null
      ? await workspacePage(app, caller, days)
      : await campaignPage(app, caller, { campaign_id: campaignId, shows_names: true, sender: workspace });
  const about = campaignId === null ? 'the last seven days' : `the campaign "${terminalLine(name)}"`;
  const off = campaignId === null ? 'outreach report' : `outreach campaign report ${campaignId}`;
  const text = [
    `Here is the report on ${about} in the workspace "${workspace}".`,
    figuresOf(total).join('\n'),
    `You get this each Monday because it was set for your account. To stop it: ${off} --email ${email} --weekly --off`,
  ].join('\n\n');
  return {
    to: email,
    subject: `${terminalLine(campaignId === null ? workspace : name)}: weekly report`,
    text: `${text}\n`,
    html: page.html,
  };
}

function figuresOf({ sent, opened, clicked, replied, bounced, unsubscribed, rates, tracked }: ReportCounts): string[] {
  const share = (name: keyof ReportCounts['rates']) => {
    const rate = rates[name]?.rate;
    return rate === undefined ? '' : ` (${(100 * rate).toFixed(1)}%)`;
  };
  return [
    `${quantity(sent, 'email')} sent`,
    `${grouped(replied)} replied${share('replied')}`,
    tracked.opened ? `${grouped(opened)} opened${share('opened')}` : 'opens are not tracked',
    tracked.clicked ? `${grouped(clicked)} clicked${share('clicked')}` : 'clicks are not tracked',
    `${grouped(bounced)} bounced${share('bounced')}`,
    `${grouped(unsubscribed)} unsubscribed${share('unsubscribed')}`,
  ];
}
