import { Args, Flags } from '@oclif/core';
import type { AccountRow, MailAccess, Provider } from '../../src/accounts/index.ts';
import { settingFlags, settingsFrom } from '../../src/cli/account-flags.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { findPassword, type PasswordSources, passwordIn, warnOfVisible } from '../../src/cli/password.ts';
import { signIn } from '../../src/cli/sign-in.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';
import type { MailUrl } from '../../src/mail/mail-url.ts';

export default class AccountConnect extends OutreachCommand {
  static override description = `Connect an account

Logs in to its SMTP and IMAP servers, and stores nothing unless both logins succeed. Connecting an account again replaces its servers and credentials.

Passwords are read from OUTREACH_SMTP_PASSWORD and OUTREACH_IMAP_PASSWORD, or prompted for. Without an IMAP password, the SMTP password is \
used if the user is the same. The files of --smtp-password-file and --imap-password-file contain the password in their first line. The URLs \
may contain passwords, but other users of this machine can read a command line.

With --provider google or microsoft you sign in with a browser, on this machine or another, and need no password; a password you give, \
such as an app password, is used instead. docs/accounts.md explains how to register Outreach with the provider.`;
  static override examples = [
    '<%= config.bin %> account connect zoe@example.com --smtp-url smtps://zoe%40example.com@smtp.example.com --imap-url imaps://zoe%40example.com@imap.example.com',
    '<%= config.bin %> account connect zoe@example.com --smtp-url smtp://zoe@smtp.example.com:587 --from-name "Zoë" --daily-limit 40',
    '<%= config.bin %> account connect zoe@gmail.com --provider google',
    '<%= config.bin %> account connect zoe@example.com --provider microsoft --no-browser',
  ];
  static override args = { email: Args.string({ required: true, description: 'email address of the account' }) };
  static override flags = {
    ...settingFlags,
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
    workspace: workspaceFlag,
  };

  async run(): Promise<AccountRow> {
    const { args, flags } = await this.parse(AccountConnect);
    const { checkConnect, connectAccount } = await import('../../src/accounts/index.ts');
    const servers = await serversOf(args.email, flags.provider, flags['smtp-url'], flags['imap-url']);
    const files = { smtp: flags['smtp-password-file'], imap: flags['imap-password-file'] };
    if (files.smtp === '-' && files.imap === '-') throw invalid('--imap-password-file: only one password can be read from stdin');
    const provider = flags.provider === 'smtp' || hasPassword(servers, files) ? undefined : flags.provider;
    const access = provider === undefined ? await withPasswords(servers, files) : withoutPasswords(servers);
    const account = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace, flags.owner);
      const settings = settingsFrom(flags);
      checkConnect({ email: args.email, settings });
      const tokens = provider === undefined ? {} : { tokens: await signIn(app, provider, args.email.trim(), flags) };
      const input = { email: args.email, provider: flags.provider, ...access, ...tokens, settings };
      const connected = await connectAccount(app, caller, input);
      // Both logins have just succeeded, so a pause for a provider error is over.
      if (connected.pause_reason !== 'provider_error' || connected.is_archived) return connected;
      const { resumeAccount } = await import('../../src/campaigns/index.ts');
      return resumeAccount(app, caller, connected.id);
    });
    this.log(record(account));
    if (access.imap === undefined) this.log('\nWithout --imap-url, replies and bounces of this account are not seen.');
    for (const protocol of ['smtp', 'imap'] as const)
      if (servers[protocol]?.password !== undefined && !this.jsonEnabled())
        warnOfVisible(`the password in --${protocol}-url`, `OUTREACH_${protocol.toUpperCase()}_PASSWORD or --${protocol}-password-file`);
    return account;
  }
}

interface Servers {
  smtp: MailUrl;
  imap: MailUrl | undefined;
}

interface Access {
  smtp: MailAccess;
  imap?: MailAccess;
}

/** The servers in the flags, or the provider's own. */
async function serversOf(email: string, provider: Provider, smtpUrl: string | undefined, imapUrl: string | undefined): Promise<Servers> {
  const [{ presetServers }, { parseMailUrl }] = await Promise.all([
    import('../../src/accounts/index.ts'),
    import('../../src/mail/mail-url.ts'),
  ]);
  const preset = presetServers(provider, email.trim());
  const own = (server: MailUrl['server'] | undefined) => (server === undefined ? undefined : { server, password: undefined });
  const smtp = smtpUrl === undefined ? own(preset?.smtp) : parseMailUrl(smtpUrl, 'smtp');
  const imap = imapUrl === undefined ? own(preset?.imap) : parseMailUrl(imapUrl, 'imap');
  if (smtp === undefined) throw invalid('--smtp-url is required, for example smtps://USER@smtp.example.com');
  return { smtp, imap };
}

interface PasswordFiles {
  smtp: string | undefined;
  imap: string | undefined;
}

const hasPassword = ({ smtp, imap }: Servers, files: PasswordFiles) =>
  [smtp.password, imap?.password, files.smtp, passwordIn('OUTREACH_SMTP_PASSWORD')].some((password) => password !== undefined);

const withoutPasswords = ({ smtp, imap }: Servers): Access => ({
  smtp: { server: smtp.server, secret: {} },
  ...(imap === undefined ? {} : { imap: { server: imap.server, secret: {} } }),
});

async function withPasswords({ smtp, imap }: Servers, files: PasswordFiles): Promise<Access> {
  const { serverName } = await import('../../src/mail/mail-url.ts');
  const sourcesOf = ({ server, password }: MailUrl, file: string | undefined, variable: PasswordSources['variable']) => ({
    given: password,
    file,
    variable,
    question: `Password for ${server.user} at ${serverName(server)}`,
  });
  const secret = smtp.server.user === null ? {} : { pass: await findPassword(sourcesOf(smtp, files.smtp, 'OUTREACH_SMTP_PASSWORD')) };
  if (imap === undefined) return { smtp: { server: smtp.server, secret } };
  const fallback = imap.server.user === smtp.server.user ? secret.pass : undefined;
  const pass = await findPassword({
    ...sourcesOf(imap, files.imap, 'OUTREACH_IMAP_PASSWORD'),
    ...(fallback === undefined ? {} : { fallback }),
  });
  return { smtp: { server: smtp.server, secret }, imap: { server: imap.server, secret: { pass } } };
}
