import { Flags } from '@oclif/core';
import { ACCOUNT_SETTINGS } from '../../src/accounts/settings/index.ts';
import { hasAny } from '../../src/cli/campaign-flags.ts';
import { AccountsCommand, accountsArgument } from '../../src/cli/client/accounts-command.ts';
import type { Api } from '../../src/cli/client/api.ts';
import { dkimFlags, dkimFrom } from '../../src/cli/dkim-flags.ts';
import { flagsOf, optionsIn } from '../../src/cli/option-flags.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';
import { zoneLine } from '../../src/mail/dkim.ts';

const PUBLISH = 'Publish these DNS records';
const tags = (description: string) => Flags.string({ description, helpValue: 'T', multiple: true, multipleNonGreedy: true });

export default class AccountSet extends AccountsCommand {
  static override description = `Change the settings of accounts

Changes apply at once. With accounts or --all, --tag gives them a tag; alone, it chooses the accounts that have it.`;
  static override examples = [
    '<%= config.bin %> account set 3 --timezone Europe/Berlin --window-start 8 --window-end 18',
    '<%= config.bin %> account set zoe@example.com --batch-min 1 --batch-max 4 --batch-interval 12 --daily-limit 60',
    '<%= config.bin %> account set 3 4 5 --tag us',
    '<%= config.bin %> account set --tag us --daily-limit 40',
    '<%= config.bin %> account set --all --ramp-start 5 --ramp-increment 3',
    '<%= config.bin %> account set 3 --dkim-domain example.com --dkim-selector outreach',
  ];
  static override args = accountsArgument;
  static override flags = {
    ...flagsOf(ACCOUNT_SETTINGS),
    ...dkimFlags,
    all: Flags.boolean({ description: 'every account that is not archived' }),
    tag: tags('tag to give to the accounts; may be repeated. Without accounts and --all: the accounts to change'),
    untag: tags('tag to take from the accounts; may be repeated'),
  };

  async run() {
    const { args, flags } = await this.parse(AccountSet);
    const settings = optionsIn(ACCOUNT_SETTINGS, flags);
    const dkim = dkimFrom(flags);
    const isChosen = args.account !== undefined || flags.all;
    if (!isChosen && (flags.tag ?? []).length > 1) throw invalid('--tag: name one tag to choose accounts by');
    const given = { add: isChosen ? (flags.tag ?? []) : [], remove: flags.untag ?? [] };
    const hasTags = given.add.length + given.remove.length > 0;
    if (!hasAny(settings) && !hasTags && dkim === undefined) throw invalid('nothing to change; see: outreach account set --help');
    const api = await this.client(flags);
    return this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: isChosen ? undefined : flags.tag?.[0] },
      async (id) => {
        // The key first: an invalid one must be refused before any setting changes.
        const dns = dkim === undefined ? undefined : (await api.accountSetup.setDkim.mutate({ id, dkim })).data;
        const all = hasTags ? { ...settings, tags: await changedTags(api, id, given) } : settings;
        const account = hasAny(all) ? await api.accountSetup.set.mutate({ id, settings: all }) : await api.accounts.get.query({ id });
        return dns === undefined ? account : { ...account, dkim_records: dns };
      },
      ({ id, email }) => `${email} (account ${id}) was changed.`,
      (account) => {
        const { dkim_records: dns, ...row } = { dkim_records: undefined, ...account };
        this.log(record(row));
        if (dns?.length)
          this.log(`\nIts emails are now signed. ${PUBLISH}, then check with: outreach doctor\n${dns.map(zoneLine).join('\n')}`);
      },
    );
  }
}

async function changedTags(api: Api, id: number, { add, remove }: { add: string[]; remove: string[] }): Promise<string[]> {
  const { tags: present } = await api.accountSetup.details.query({ id });
  return [...new Set([...present, ...add])].filter((tag) => !remove.includes(tag));
}
