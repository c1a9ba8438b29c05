import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { rotationOf } from '../../src/cli/client/rotation.ts';
import { holidaysAmong } from '../../src/cli/holidays-among.ts';
import { listFlags } from '../../src/cli/list-output.ts';
import { printRows } from '../../src/cli/print-rows.ts';
import { say } from '../../src/cli/terminal.ts';
import { grouped, quantity } from '../../src/core/english.ts';
import { zoneOrUtc } from '../../src/core/zone.ts';

/** The most emails that the API forecasts. */
const MAX_EMAILS = 10_000;
const EMAIL_COLUMNS = ['send_at', 'email', 'step_order', 'account_email'];
const ACCOUNT_COLUMNS = ['account_email', 'emails', 'first_at', 'last_at'];

export default class CampaignForecast extends ClientCommand {
  static override description =
    'Forecast when each email of a campaign will be sent\n\nAssumes that nobody replies and nothing is changed. A rotation group is one campaign.';
  static override examples = ['<%= config.bin %> campaign forecast 7 --limit 20'];
  static override args = { campaign: campaignArgument };
  static override flags = {
    ...listFlags,
    all: Flags.boolean({ description: `forecast the next ${grouped(MAX_EMAILS)} emails`, exclusive: ['limit'] }),
    members: Flags.boolean({ description: 'count the emails of each account instead' }),
    limit: Flags.integer({ description: 'maximum number of emails', default: 50, min: 1, max: MAX_EMAILS, helpValue: 'N' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignForecast);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const wanted = flags.all ? MAX_EMAILS : flags.limit;
    // One more than wanted shows whether there are more.
    const limit = Math.min(MAX_EMAILS, wanted + 1);
    // Most campaigns have no rotation group, so the campaign's own forecast is read along with the rest.
    const [group, { timezone }, { holidays }, own] = await Promise.all([
      rotationOf(api, id),
      api.campaigns.get.query({ id }),
      api.campaignOptions.get.query({ id }),
      api.sending.forecast.query({ id, limit }),
    ]);
    const { data: found } = group === undefined ? own : await api.sending.forecastRotation.query({ id: group.id, limit });
    const emails = found.slice(0, wanted);
    const left = holidays === null ? [] : holidaysAmong(emails, holidays, zoneOrUtc(timezone));
    if (left.length > 0 && !this.jsonEnabled()) say(`Nothing is sent on the public holidays of ${holidays}: ${left.join(', ')}.`);
    const options = { timezone: zoneOrUtc(timezone), none: `No emails will be sent; to see why, run: outreach campaign explain ${id}` };
    if (flags.members) {
      const rows = byAccount(emails);
      const isCut = found.length > wanted || found.length === MAX_EMAILS;
      if (isCut && !this.jsonEnabled())
        say(
          `Only the next ${quantity(wanted, 'email is', 'emails are')} counted${flags.all ? '' : `; use --all to count the next ${grouped(MAX_EMAILS)}`}.`,
        );
      return printRows(this, flags, ACCOUNT_COLUMNS, { rows, total: rows.length }, undefined, options);
    }
    return printRows(this, flags, EMAIL_COLUMNS, { rows: emails, total: found.length < limit ? emails.length : null }, undefined, options);
  }
}

/** Counts the emails of each account, with the times of the first and the last. @param emails soonest first */
function byAccount(emails: readonly { account_email: string; send_at: string }[]): object[] {
  const accounts = Map.groupBy(emails, (email) => email.account_email);
  return [...accounts].map(([account_email, own]) => ({
    account_email,
    emails: own.length,
    first_at: own[0]?.send_at,
    last_at: own.at(-1)?.send_at,
  }));
}
