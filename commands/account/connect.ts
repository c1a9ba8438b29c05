import { Args, Flags } from '@oclif/core';
import type { AccountRow, MailAccess, MailUrl, Provider } from '../../src/accounts/index.ts';
import { settingFlags, settingsFrom } from '../../src/cli/account-flags.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { findPassword } from '../../src/cli/password.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/errors.ts';

export default class AccountConnect extends OutreachCommand {
  static override description = `connect a mailbox: log in to its servers, then store it

Nothing is stored unless both servers let it in. A mailbox that is connected already takes the new servers and credentials.

Passwords come from the URLs, from OUTREACH_SMTP_PASSWORD and OUTREACH_IMAP_PASSWORD, or are asked for. An IMAP password that is left out is the SMTP one where the user is the same.`;
  static override examples = [
    '<%= config.bin %> account connect zoe@example.com --smtp-url smtps://zoe%40example.com@smtp.example.com --imap-url imaps://zoe%40example.com@imap.example.com',
    '<%= config.bin %> account connect zoe@example.com --smtp-url smtp://zoe@smtp.example.com:587 --from-name "Zoë" --daily-limit 40',
  ];
  static override args = { email: Args.string({ required: true, description: 'address of the mailbox' }) };
  static override flags = {
    ...settingFlags,
    'imap-url': Flags.string({
      description: 'where its mail is read; without it replies and bounces are not seen',
      helpValue: 'imap[s]://USER@HOST:PORT',
    }),
    owner: Flags.string({ description: 'address of the person it belongs to', helpValue: 'EMAIL' }),
    provider: Flags.option({
      options: ['smtp', 'google', 'microsoft'] as const,
      description: 'whose mailbox it is; google and microsoft need no URLs',
      default: 'smtp',
    })(),
    'smtp-url': Flags.string({
      description: 'where it sends; ?tls=off for a server without TLS that is not on this machine',
      helpValue: 'smtp[s]://USER@HOST:PORT',
    }),
    workspace: workspaceFlag,
  };

  async run(): Promise<AccountRow> {
    const { args, flags } = await this.parse(AccountConnect);
    const { connectAccount } = await import('../../src/accounts/index.ts');
    const access = await accessOf(args.email, flags.provider, flags['smtp-url'], flags['imap-url']);
    const account = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace, flags.owner);
      const input = { email: args.email, provider: flags.provider, ...access, settings: settingsFrom(flags) };
      const connected = await connectAccount(app, caller, input);
      // Its servers have just let it in, so what the provider refused is over.
      if (connected.pause_reason !== 'provider_error' || connected.is_archived) return connected;
      const { resumeAccount } = await import('../../src/campaigns/index.ts');
      return resumeAccount(app, caller, connected.id);
    });
    this.log(record(account));
    if (access.imap === undefined) this.log('\nNo --imap-url was given: replies and bounces of this mailbox are not seen.');
    return account;
  }
}

/** The servers that the options name, or the provider's own, with their passwords. */
async function accessOf(
  email: string,
  provider: Provider,
  smtpUrl: string | undefined,
  imapUrl: string | undefined,
): Promise<{ smtp: MailAccess; imap?: MailAccess }> {
  const { parseMailUrl, presetServers, serverName } = await import('../../src/accounts/index.ts');
  const preset = presetServers(provider, email.trim());
  const withoutPassword = (server: MailUrl['server'] | undefined) => (server === undefined ? undefined : { server, password: undefined });
  const smtp = smtpUrl === undefined ? withoutPassword(preset?.smtp) : parseMailUrl(smtpUrl, 'smtp');
  const imap = imapUrl === undefined ? withoutPassword(preset?.imap) : parseMailUrl(imapUrl, 'imap');
  if (smtp === undefined) throw invalid('--smtp-url: needed, for example smtps://USER@smtp.example.com');
  const smtpSecret = smtp.server.user === null ? {} : { pass: await findPassword(sourcesOf(smtp, 'OUTREACH_SMTP_PASSWORD')) };
  if (imap === undefined) return { smtp: { server: smtp.server, secret: smtpSecret } };
  const fallback = imap.server.user === smtp.server.user ? smtpSecret.pass : undefined;
  const imapPass = await findPassword({ ...sourcesOf(imap, 'OUTREACH_IMAP_PASSWORD'), ...(fallback === undefined ? {} : { fallback }) });
  return { smtp: { server: smtp.server, secret: smtpSecret }, imap: { server: imap.server, secret: { pass: imapPass } } };

  function sourcesOf({ server, password }: MailUrl, variable: 'OUTREACH_SMTP_PASSWORD' | 'OUTREACH_IMAP_PASSWORD') {
    return { given: password, variable, question: `Password of ${server.user} at ${serverName(server)}` };
  }
}
