import { isIP } from 'node:net';
import { Flags } from '@oclif/core';
import { ACCOUNT_SETTINGS } from '../../src/accounts/settings/index.ts';
import { hasAny } from '../../src/cli/campaign-flags.ts';
import { AccountsCommand, accountsArgument } from '../../src/cli/client/accounts-command.ts';
import type { Api } from '../../src/cli/client/api.ts';
import { apiError } from '../../src/cli/client/api-error.ts';
import { passwordsFor, storedServers } from '../../src/cli/client/mail-servers.ts';
import { withSignature } from '../../src/cli/client/named-signature.ts';
import { changedText } from '../../src/cli/describe/changed.ts';
import { dkimFlags, dkimFrom } from '../../src/cli/dkim-flags.ts';
import { flagsOf, optionsIn } from '../../src/cli/option-flags.ts';
import { say } from '../../src/cli/terminal.ts';
import { invalid, messageOf } from '../../src/core/errors.ts';
import { zoneLine } from '../../src/mail/dkim.ts';
import { windowText } from '../../src/terminal/account-page.ts';

const PUBLISH = 'Publish these DNS records';
const tags = (description: string) => Flags.string({ description, helpValue: 'T', multiple: true, multipleNonGreedy: true });

export default class AccountSet extends AccountsCommand {
  static override description = `Change the settings of accounts

Changes apply at once. With accounts or --all, --tag gives them a tag; alone, it chooses the accounts that have it.`;
  static override examples = [
    '<%= config.bin %> account set 3 --timezone Europe/Berlin --window-start 8 --window-end 18',
    '<%= config.bin %> account set zoe@example.com --batch-min 1 --batch-max 4 --batch-interval 12 --daily-limit 60',
    '<%= config.bin %> account set zoe@example.com --password',
    '<%= config.bin %> account set 3 4 5 --tag us',
    '<%= config.bin %> account set --tag us --daily-limit 40',
    '<%= config.bin %> account set --all --ramp-start 5 --ramp-increment 3',
    '<%= config.bin %> account set 3 --dkim-domain example.com --dkim-selector outreach',
  ];
  static override args = accountsArgument;
  static override flags = {
    ...flagsOf(ACCOUNT_SETTINGS),
    ...dkimFlags,
    password: Flags.boolean({
      description:
        'replace the password of one account: logs in with it first; from OUTREACH_SMTP_PASSWORD and OUTREACH_IMAP_PASSWORD, or prompted for',
      exclusive: ['all'],
    }),
    all: Flags.boolean({ description: 'every account that is not archived' }),
    tag: tags('tag to give to the accounts; may be repeated. Without accounts and --all: the accounts to change'),
    untag: tags('tag to take from the accounts; may be repeated'),
  };

  async run() {
    const { args, flags } = await this.parse(AccountSet);
    const asked = optionsIn(ACCOUNT_SETTINGS, flags);
    const dkim = dkimFrom(flags);
    const isChosen = args.account !== undefined || flags.all;
    if (!isChosen && (flags.tag ?? []).length > 1) throw invalid('--tag: name one tag to choose accounts by');
    const given = { add: isChosen ? (flags.tag ?? []) : [], remove: flags.untag ?? [] };
    const hasTags = given.add.length + given.remove.length > 0;
    const hasMore = hasTags || dkim !== undefined || flags.password;
    if (!hasAny(asked) && !hasMore) throw invalid('nothing to change; see: outreach account set --help');
    if (flags.password && args.account?.length !== 1) throw invalid('--password: name one account');
    const api = await this.client(flags);
    const settings = await withSignature(api, asked);
    return this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: isChosen ? undefined : flags.tag?.[0] },
      async (id) => {
        if (flags.password) await changePassword(api, id);
        // Set the key first: an invalid one must be refused before any setting changes.
        const dns = dkim === undefined ? undefined : (await api.accountSetup.setDkim.mutate({ id, dkim })).data;
        const account =
          hasAny(settings) || hasTags
            ? await api.accountSetup.set.mutate({ id, settings, tags: hasTags ? given : undefined })
            : await api.accounts.get.query({ id });
        if (settings.folders != null)
          for (const warning of await this.#folderWarnings(api, id)) say(`Warning: ${account.email}: ${warning}`);
        return dns === undefined ? account : { ...account, dkim_records: dns };
      },
      ({ id, email }) => `${email} (account ${id}) was changed.`,
      (account) => {
        const { dkim_records: dns, id, email } = { dkim_records: undefined, ...account };
        const { send_window_start_hour: start, send_window_end_hour: end, ...others } = asked;
        const more = {
          ...others,
          ...((start !== undefined || end !== undefined) && { sends: windowText(account) }),
          ...(hasTags && { tags: [...given.add, ...given.remove.map((tag) => `without ${tag}`)] }),
          ...(flags.password && { password: 'replaced' }),
        };
        this.draw(changedText(`${email} (account ${id}) was changed.`, more));
        if (settings.tracking_host != null) for (const line of trackingNote(settings.tracking_host, this.publicUrl)) this.tell(line);
        if (dns?.length)
          this.log(`\nIts emails are now signed. ${PUBLISH}, then check with: outreach doctor\n${dns.map(zoneLine).join('\n')}`);
      },
    );
  }

  /** Checks the saved folders of an account on its mail server. If the server can't be reached, that is the warning. */
  #folderWarnings(api: Api, id: number): Promise<string[]> {
    return api.accountSetup.folderWarnings.query({ id }).then(
      ({ data }) => data,
      (error) => [messageOf(apiError(error, this.server ?? undefined))],
    );
  }
}

/** Describes what a tracking host needs outside of Outreach. @param base the public address of the installation */
function trackingNote(host: string, base: string): string[] {
  const [name, target] = [new URL(/^https?:/.test(host) ? host : `https://${host}`).hostname, new URL(base).hostname];
  const proxy = 'and have your proxy serve the name with a certificate of its own (docs/tracking.md). Then check with: outreach doctor';
  // The target of a CNAME must be a name (RFC 1035 §3.3.1) that others can look up.
  if (isIP(target) !== 0 || target === 'localhost') return [`Publish a DNS record by which ${name} leads to this server, ${proxy}`];
  return [`Publish this DNS record, ${proxy}`, `${name}. CNAME ${target}.`];
}

/** Logs in to the stored servers with another password, and stores it. Throws `conflict` with the reply of a server that refuses it. */
async function changePassword(api: Api, id: number): Promise<void> {
  const { email, provider } = await api.accounts.get.query({ id });
  const urls = await storedServers(api, email);
  const { serversOf } = await import('../../src/cli/client/server-urls.ts');
  const passwords = await passwordsFor(serversOf({ email, provider, ...urls }), { smtp: undefined, imap: undefined });
  await api.accountSetup.connect.mutate({ email, provider, ...urls, ...passwords });
}
