import { Flags } from '@oclif/core';
import { type ActivityLine, type ActivityQuery, followActivity } from '../src/cli/client/activity.ts';
import type { Api } from '../src/cli/client/api.ts';
import { ClientCommand } from '../src/cli/client/client-command.ts';
import { timeFrame } from '../src/cli/client/time-frame.ts';
import { watch } from '../src/cli/client/watch.ts';
import { instantText, PAST_TIMES } from '../src/cli/instant.ts';
import { listFlags } from '../src/cli/list-output.ts';
import { printRows } from '../src/cli/print-rows.ts';
import { grouped } from '../src/core/english.ts';
import { parseTimestamp } from '../src/core/timestamp-text.ts';
import { inZone } from '../src/core/zone.ts';

/** The most lines that the API lists. */
const MAX_LINES = 10_000;
const DEFAULT_COLUMNS = ['at', 'what', 'email_id', 'account_id', 'account', 'domain', 'reason', 'code', 'campaign_id', 'campaign'];

export default class Logs extends ClientCommand {
  static override description = `Show emails sent, bounced and answered, accounts paused and campaigns completed, oldest first

Includes accounts that reached their daily limit while emails waited, and those whose health changed. \
One line each: time in the zone of the workspace, id of the email in the outbox, account, domain of the recipient, reply code of the server. \
--utc, --json and --csv print UTC. Replies and bounces \
appear if the reply address of the campaign is a connected account. The daemon's log contains these lines too.`;
  /** Written out, because oclif prints empty alternatives for a flag that excludes several others. */
  static override usage =
    'logs [--debug] [--data-dir DIR] [--key K] [--url U] [--workspace W] [--all | --limit N] [--utc] [--account A] [--since T] [-f | --csv | --json | --columns A,B]';
  static override examples = [
    '<%= config.bin %> logs',
    '<%= config.bin %> logs --follow --account anna@example.com',
    '<%= config.bin %> logs --since "yesterday 18:00" --json',
  ];
  static override flags = {
    ...listFlags,
    all: Flags.boolean({ description: `print the latest ${grouped(MAX_LINES)} lines`, exclusive: ['limit'] }),
    account: Flags.string({ description: 'only this account, by id or address', helpValue: 'A' }),
    follow: Flags.boolean({ char: 'f', description: 'keep printing new lines until Ctrl-C', exclusive: ['json', 'csv', 'columns'] }),
    limit: Flags.integer({ description: 'maximum number of lines, the latest', default: 100, min: 1, max: MAX_LINES, helpValue: 'N' }),
    since: Flags.string({ description: `only since then, ${PAST_TIMES} (default: 24h)`, helpValue: 'T' }),
  };

  async run() {
    const { flags } = await this.parse(Logs);
    const api = await this.client(flags);
    const isText = !(this.jsonEnabled() || flags.csv || flags.utc || flags.columns !== undefined);
    const frame = isText || flags.since !== undefined ? await timeFrame(api, 'past') : undefined;
    const since = flags.since === undefined || frame === undefined ? undefined : instantText(flags.since, '--since', frame);
    const asText = lineIn(isText && frame !== undefined ? frame.timezone : 'UTC');
    const query: ActivityQuery = { since, account: flags.account, limit: flags.all ? MAX_LINES : flags.limit };
    if (flags.follow) return this.#follow(api, query, asText);
    const { data } = await api.activity.list.query(query);
    const total = data.length < query.limit ? data.length : null;
    return printRows(this, flags, DEFAULT_COLUMNS, { rows: data, total }, undefined, {
      asText: (lines) => lines.map(asText).join('\n'),
      none: 'Nothing was sent, bounced or answered in this time, no account stopped and no campaign ended.',
    });
  }

  async #follow(api: Api, query: ActivityQuery, asText: (line: ActivityLine) => string): Promise<void> {
    await watch(this.server, async (options) => {
      for await (const line of followActivity(api, query, options)) this.logLine(asText(line));
    });
  }
}

/** Prints lines with their times in a zone. */
const lineIn =
  (timezone: string) =>
  ({ at, what, email_id: email, account, domain, code, reason, campaign_id: id, campaign }: ActivityLine): string => {
    const time = inZone(parseTimestamp(at), timezone).toFormat('yyyy-MM-dd HH:mm:ss');
    const about = id === null ? undefined : `campaign ${id} "${campaign}"`;
    const parts = [email === null ? undefined : `email ${email}`, account, about, domain, reason, code];
    return [`${time} ${timezone}`, what.padEnd('disconnected'.length), ...parts.filter((part) => part != null)].join('  ');
  };
