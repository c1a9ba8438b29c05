import { Args, Flags } from '@oclif/core';
import { ACCOUNT_SETTINGS } from '../../src/accounts/settings/index.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { hasPassword, passwordsFor, type Servers, storedServers } from '../../src/cli/client/mail-servers.ts';
import { withSignature } from '../../src/cli/client/named-signature.ts';
import { flagsOf, optionsIn } from '../../src/cli/option-flags.ts';
import { warnOfVisible } from '../../src/cli/password.ts';
import { signIn } from '../../src/cli/sign-in.ts';
import { invalid } from '../../src/core/errors.ts';
import { headline, settingFacts } from '../../src/terminal/account-page.ts';
import { factsText } from '../../src/terminal/facts.ts';

export default class AccountConnect extends ClientCommand {
  static override description = `Connect an account

Logs in to its SMTP and IMAP servers, and stores nothing unless both logins succeed. Connecting an account again \
replaces its servers and credentials; without --smtp-url it keeps its servers, as after a changed password.

Passwords are read from OUTREACH_SMTP_PASSWORD and OUTREACH_IMAP_PASSWORD, or prompted for. Without an IMAP password, the SMTP password is \
used if the user is the same. The files of --smtp-password-file and --imap-password-file contain the password in their first line. The URLs \
may contain passwords, but other users of this machine can read a command line.

With --provider google or microsoft you sign in with a browser, on this machine or another, and need no password; a password you give, \
such as an app password, is used instead. docs/accounts.md explains how to register Outreach with the provider.`;
  static override examples = [
    '<%= config.bin %> account connect zoe@example.com --smtp-url smtps://zoe%40example.com@smtp.example.com --imap-url imaps://zoe%40example.com@imap.example.com',
    '<%= config.bin %> account connect zoe@example.com --smtp-url smtp://zoe@smtp.example.com:587 --from-name "Zoë" --daily-limit 40',
    '<%= config.bin %> account connect zoe@example.com',
    '<%= config.bin %> account connect zoe@gmail.com --provider google',
    '<%= config.bin %> account connect zoe@example.com --provider microsoft --no-browser',
  ];
  static override args = { email: Args.string({ required: true, description: 'email address of the account' }) };
  static override flags = {
    ...flagsOf(ACCOUNT_SETTINGS),
    browser: Flags.boolean({ description: 'open a browser to sign in with google or microsoft', default: true, allowNo: true }),
    'imap-password-file': Flags.string({ description: 'file with the IMAP password, or - for stdin', helpValue: 'FILE' }),
    'imap-url': Flags.string({
      description: 'IMAP server; without one, replies and bounces are not seen',
      helpValue: 'imap[s]://USER@HOST:PORT',
    }),
    owner: Flags.string({ description: 'email address of the user who owns it', helpValue: 'EMAIL' }),
    provider: Flags.option({
      options: ['smtp', 'google', 'microsoft'] as const,
      description: 'email provider; google and microsoft need no URLs',
      default: 'smtp',
    })(),
    'smtp-password-file': Flags.string({ description: 'file with the SMTP password, or - for stdin', helpValue: 'FILE' }),
    'smtp-url': Flags.string({
      description: 'SMTP server; add ?tls=off for a server without TLS on another machine',
      helpValue: 'smtp[s]://USER@HOST:PORT',
    }),
    tag: Flags.string({
      description: 'tag to give to the account; may be repeated',
      helpValue: 'T',
      multiple: true,
      multipleNonGreedy: true,
    }),
  };

  async run() {
    const { args, flags } = await this.parse(AccountConnect);
    const { email } = args;
    const { provider } = flags;
    const files = { smtp: flags['smtp-password-file'], imap: flags['imap-password-file'] };
    if (files.smtp === '-' && files.imap === '-') throw invalid('--imap-password-file: only one password can be read from stdin');
    const { serversOf } = await import('../../src/cli/client/server-urls.ts');
    const api = await this.client(flags);
    const given = { smtp_url: flags['smtp-url'], imap_url: flags['imap-url'] };
    const isAgain = provider === 'smtp' && given.smtp_url === undefined;
    const stored = isAgain ? await storedServers(api, email) : {};
    const urls = { smtp_url: given.smtp_url ?? stored.smtp_url, imap_url: given.imap_url ?? stored.imap_url };
    const servers = serversOf({ email, provider, ...urls });
    const settings = { ...(await withSignature(api, optionsIn(ACCOUNT_SETTINGS, flags))), tags: flags.tag };
    const proof =
      provider === 'smtp' || hasPassword(servers, files)
        ? await passwordsFor(servers, files)
        : {
            sign_in: await signIn(
              email,
              flags,
              async (asked) => (await api.accountSetup.signInAddress.mutate({ email, provider, settings, ...asked })).url,
            ),
          };
    const account = await api.accountSetup.connect.mutate({ email, provider, ...urls, ...proof, owner: flags.owner, settings });
    const logins =
      servers.imap === undefined
        ? 'the login succeeded. Without --imap-url, its replies and bounces are not seen.'
        : 'both logins succeeded.';
    if (!this.jsonEnabled())
      this.draw(
        `Connected; ${logins}\n${headline(account)}\n${factsText(settingFacts(account, await api.accountSetup.details.query({ id: account.id })))}`,
      );
    this.#warnOfPasswords(servers);
    this.next(`campaign create NAME --account ${account.email}`);
    return account;
  }

  #warnOfPasswords(servers: Servers): void {
    for (const protocol of ['smtp', 'imap'] as const)
      if (servers[protocol]?.password !== undefined && !this.jsonEnabled())
        warnOfVisible(`the password in --${protocol}-url`, `OUTREACH_${protocol.toUpperCase()}_PASSWORD or --${protocol}-password-file`);
  }
}
