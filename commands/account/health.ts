import { Flags } from '@oclif/core';
import { AccountsCommand, accountsArgument, choiceFlags } from '../../src/cli/client/accounts-command.ts';
import type { Api } from '../../src/cli/client/api.ts';

type Health = Awaited<ReturnType<Api['accountHealth']['get']['query']>>;

export default class AccountHealth extends AccountsCommand {
  static override description = `Show how well accounts can deliver

Checks SPF, DKIM, DMARC, MX, the relay and its certificate, the tracking host, block lists, and what came of the emails of the last 7 and \
30 days. Each has a state, since when, why it matters and what to do; in all it is one word: good, watch or stop. A daemon checks every \
account once a day; --check does it now. Exits with 1 if an account should stop.`;
  static override examples = [
    '<%= config.bin %> account health zoe@example.com',
    '<%= config.bin %> account health --all',
    '<%= config.bin %> account health 3 --check',
  ];
  static override args = accountsArgument;
  static override flags = {
    ...choiceFlags,
    check: Flags.boolean({ description: 'check now; block lists are asked once a day all the same' }),
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

const isProblem = ({ state }: Health['checks'][number]): boolean => state === 'stop' || state === 'watch';

function lineOf({ account_id, email, health, checks }: Health): string {
  const problems = checks.filter(isProblem).map(({ check, detail }) => `${check}: ${detail}`);
  return `${email} (account ${account_id}): ${health}${problems.length === 0 ? '' : `; ${problems.join('; ')}`}`;
}

function details({ email, account_id, health, since, checked_at, checks }: Health): string {
  const lines = checks.flatMap((check) => [
    `${check.state.padEnd(7)}  ${check.check.padEnd(11)}  ${check.detail}`,
    ...(isProblem(check)
      ? [`since ${check.since} UTC. ${check.why}`, `To mend it: ${check.remedy}.`].map((line) => `${' '.repeat(22)}${line}`)
      : []),
  ]);
  return [`${email} (account ${account_id}): ${health} since ${since} UTC, checked ${checked_at} UTC`, '', ...lines].join('\n');
}
