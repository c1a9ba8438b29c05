import { Flags } from '@oclif/core';
import { ClientCommand } from '../src/cli/client/client-command.ts';
import { idOf } from '../src/cli/client/names.ts';
import { printDrawn } from '../src/cli/terminal.ts';
import { calendarTables } from '../src/terminal/calendar-page.ts';
import { screenOf } from '../src/terminal/screen.ts';

export default class Calendar extends ClientCommand {
  static override description = `Show how many emails will be sent in the next days, what is free and what does not fit

Simulates all accounts and active campaigns of the workspace together, as they share limits. Assumes that nobody replies and nothing is \
changed. Days are those of each account's time zone; free is what its daily limit still allows.`;
  static override examples = ['<%= config.bin %> calendar', '<%= config.bin %> calendar --days 7 --account zoe@example.com'];
  static override flags = {
    days: Flags.integer({ description: 'number of days, with today', default: 30, min: 1, max: 90, helpValue: 'N' }),
    account: Flags.string({ description: 'only this account, by id or address', helpValue: 'ACCOUNT' }),
    campaign: Flags.string({ description: 'only this campaign, by id or name', helpValue: 'CAMPAIGN' }),
  };

  async run() {
    const { flags } = await this.parse(Calendar);
    const api = await this.client(flags);
    const calendar = await api.calendar.read.query({
      days: flags.days,
      ...(flags.account === undefined ? {} : { account_id: await idOf(api, 'account', flags.account) }),
      ...(flags.campaign === undefined ? {} : { campaign_id: await idOf(api, 'campaign', flags.campaign) }),
    });
    this.log(calendar.summary.join('\n'));
    if (calendar.accounts.length > 0 && !this.jsonEnabled()) printDrawn(`\n${calendarTables(calendar, screenOf())}`);
    return calendar;
  }
}
