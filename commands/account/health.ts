import { Flags } from '@oclif/core';
import { AccountsCommand, accountsArgument, choiceFlags } from '../../src/cli/client/accounts-command.ts';
import { checkName, checksText, type Health, isProblem } from '../../src/terminal/health-text.ts';

export default class AccountHealth extends AccountsCommand {
  static override description = `Show how well accounts can deliver

Checks SPF, DKIM, DMARC, MX, the relay and its certificate, the tracking host, block lists, what receivers report, where tests arrive, and \
what came of the emails of the last 7 and 30 days. For each it shows the state and since when, why it matters and what to do; \
the health of the account is one word: good, watch or stop. A daemon checks every \
account once a day; --check does it now. Exits with 1 if an account should stop.`;
  static override examples = [
    '<%= config.bin %> account health zoe@example.com',
    '<%= config.bin %> account health --all',
    '<%= config.bin %> account health 3 --check',
  ];
  static override args = accountsArgument;
  static override flags = {
    ...choiceFlags,
    check: Flags.boolean({ description: 'check now; block lists are still queried only once a day' }),
  };

  async run() {
    const { args, flags } = await this.parse(AccountHealth);
    const api = await this.client(flags);
    return this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: flags.tag },
      async (id) => {
        const kept = flags.check ? undefined : await api.accountHealth.get.query({ id });
        const health = kept === undefined || kept.health === null ? await api.accountHealth.check.mutate({ id }) : kept;
        if (health.health === 'stop') process.exitCode = 1;
        return health;
      },
      lineOf,
      (health) => this.log(details(health)),
    );
  }
}

function lineOf({ account_id, email, health, checks }: Health): string {
  const problems = checks.filter(isProblem).map(({ check, detail }) => `${checkName(check)}: ${detail}`);
  return `${email} (account ${account_id}): ${health}${problems.length === 0 ? '' : `; ${problems.join('; ')}`}`;
}

const details = (health: Health): string =>
  [
    `${health.email} (account ${health.account_id}): ${health.health} since ${health.since} UTC, checked ${health.checked_at} UTC`,
    '',
    checksText(health, 'UTC'),
  ].join('\n');
