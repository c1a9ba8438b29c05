import { Flags } from '@oclif/core';
import type { App } from '../src/app.ts';
import { instantFlag, OutreachCommand } from '../src/cli/command.ts';
import { onReaderGone } from '../src/cli/terminal.ts';
import { DAY } from '../src/core/clock.ts';
import type { Activity, ActivityFilter } from '../src/live/index.ts';

export default class Logs extends OutreachCommand {
  static override description = `Show emails sent, bounced and answered, and accounts paused, oldest first

One line each: time (UTC), id of the email in the outbox, account, domain of the recipient, reply code of the server. Replies and bounces \
appear if the reply address of the campaign is a connected account. The daemon's log contains these lines too.`;
  static override examples = [
    '<%= config.bin %> logs',
    '<%= config.bin %> logs --follow --account anna@example.com',
    '<%= config.bin %> logs --since 2026-01-31T08:00:00Z --json',
  ];
  static override flags = {
    account: Flags.string({ description: 'only this account, by id or address', helpValue: 'A' }),
    follow: Flags.boolean({ char: 'f', description: 'keep printing new lines until Ctrl-C', exclusive: ['json'] }),
    limit: Flags.integer({ description: 'maximum number of lines, the latest', default: 100, min: 1, max: 10_000, helpValue: 'N' }),
    since: Flags.string({ description: 'only at or after this date or timestamp (default: 24 hours ago)', helpValue: 'T' }),
  };

  async run() {
    const { flags } = await this.parse(Logs);
    const since = flags.since === undefined ? undefined : instantFlag(flags.since, 'since');
    return this.withApp(flags, async (app) => {
      const { accountIdsOf, readActivity } = await import('../src/live/index.ts');
      const filter: ActivityFilter = {
        since: since ?? new Date(app.clock.now().getTime() - DAY),
        accountIds: flags.account === undefined ? undefined : await accountIdsOf(app.db, flags.account),
        limit: flags.limit,
      };
      if (flags.follow) return this.#follow(app, filter);
      const lines = await readActivity(app.db, filter);
      this.log(lines.length === 0 ? 'none' : lines.map(asText).join('\n'));
      return { data: lines };
    });
  }

  async #follow(app: App, filter: ActivityFilter): Promise<void> {
    const { followActivity } = await import('../src/live/index.ts');
    const ended = new AbortController();
    const end = () => ended.abort();
    process.once('SIGINT', end).once('SIGTERM', end);
    onReaderGone(end);
    for await (const line of followActivity(app, filter, ended.signal)) this.logLine(asText(line));
  }
}

function asText({ at, what, email_id: email, account_id: id, account, domain, code, reason }: Activity): string {
  const parts = [email === null ? undefined : `email ${email}`, id === null ? undefined : `account ${id} ${account}`, domain, reason, code];
  return [at, what.padEnd('disconnected'.length), ...parts.filter((part) => part != null)].join('  ');
}
