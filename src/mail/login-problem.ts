import { oneLine } from '../core/errors.ts';
import { type MailServer, serverName } from './mail-url.ts';

/** A failed attempt to connect and log in to a mail server. */
export interface LoginFailure {
  protocol: 'SMTP' | 'IMAP';
  server: Pick<MailServer, 'host' | 'port'>;
  user: string | null;
  /**
   * `login`: the server refused the credentials. `mailbox`: it accepted them, but refused INBOX. `server`: it refused something else.
   * `connection`: it did not reply.
   */
  stage: 'login' | 'mailbox' | 'server' | 'connection';
  /** The server's reply, or the error of the operating system. */
  text: string;
  /** True if STARTTLS was required. A refusal before the login then means that the server does not offer it. */
  isStartTls: boolean;
}

/** Errors of Node, nodemailer and imapflow, with a description and a remedy for each. The first match decides. */
const CAUSES: readonly [RegExp, (text: string) => string][] = [
  [/not an address of the public internet/, (text) => `${text}; only an admin of the default workspace may connect to it`],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo|can't be resolved/, () => 'its name is not in DNS; check the host'],
  [/ECONNREFUSED/, () => 'connection refused; check host and port'],
  [/EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL/, () => "can't be reached; check host, network and firewall"],
  [
    /certificate|altnames/i,
    (text) =>
      `its certificate is not trusted (${text.split(';')[0]}); use the host name in the certificate, or trust its issuer with NODE_EXTRA_CA_CERTS`,
  ],
  [/wrong version number|packet length too long/i, () => 'no TLS on this port; for STARTTLS use smtp:// or imap://'],
  [/does not support STARTTLS/i, () => `offers no STARTTLS; ${WITHOUT_STARTTLS}`],
  [/SSL|TLS|EPROTO/, (text) => `TLS failed (${text}); check the port`],
  [
    /time(d )?out|never received|in required time|ETIMEDOUT/i,
    () => "doesn't respond in time; check host, port and firewall, and use smtps:// or imaps:// for a port with implicit TLS",
  ],
];

const WITHOUT_STARTTLS = 'use a port with implicit TLS (smtps://, imaps://), or ?tls=off in a trusted network';

/** The refusal of a server that does not know STARTTLS, or EHLO, which STARTTLS depends on (RFC 3207 §4). */
const NO_STARTTLS = /^(?:STARTTLS: 50\d|EHLO: 50[02])/;

const MAX_TEXT = 300;

/** Describes the failure in one line: which server, what is wrong, and what to do. At most about 500 characters. */
export function loginProblem({ protocol, server, user, stage, text, isStartTls }: LoginFailure): string {
  const words = oneLine(text).slice(0, MAX_TEXT);
  const where = `${protocol} server ${serverName(server)}`;
  if (stage === 'login' && /and none of (CRAM|XOAUTH2)/.test(words))
    return `${where} offers no login mechanism that Outreach supports (${words}); ask the provider for a server that takes passwords${isStartTls ? '' : ', or try with ?tls=required'}`;
  const of = user === null ? '' : ` of ${user}`;
  if (stage === 'login')
    return `${where} refused the login${of} (${words}); ${(protocol === 'IMAP' && adviceOnMailbox(words)) || `check user and password${adviceOn(words)}`}`;
  if (stage === 'mailbox')
    return `${where} accepted the login${of}, but INBOX can't be read (${words}); ${adviceOnMailbox(words) ?? 'ask the provider why; IMAP may be switched off for this account'}`;
  if (stage === 'server') {
    if (isStartTls && NO_STARTTLS.test(words)) return `${where} offers no STARTTLS (${words}); ${WITHOUT_STARTTLS}`;
    return `${where} refused the connection (${words}); try again later, or ask its administrator`;
  }
  const cause = CAUSES.find(([pattern]) => pattern.test(words));
  return cause === undefined ? `${where} failed (${words}); check host and port` : `${where}: ${cause[1](words)}`;
}

/** Remedies for refused mailboxes that have nothing to do with the password, by the words that servers use. The first match decides. */
const REFUSALS: readonly [RegExp, string][] = [
  [
    /not enabled for IMAP|IMAP (access )?(is )?(disabled|not enabled)|IMAP.{0,20}switched off/i,
    'switch IMAP on in the settings of this mailbox',
  ],
  [
    /authenticated but not connected/i,
    'Exchange took the password and found no mailbox for this user: use the address of the mailbox, and let its administrator enable IMAP for it',
  ],
  [/WEBALERT|web login required/i, 'sign in to this mailbox in a browser once, then test the account again'],
  [/throttl|too many|rate limit|bandwidth|\[(LIMIT|UNAVAILABLE|INUSE)\]|try again later/i, 'try again later'],
];

const adviceOnMailbox = (words: string): string | undefined => REFUSALS.find(([pattern]) => pattern.test(words))?.[1];

/** Returns advice for refusals that another password would not fix: Google and Microsoft have rules of their own. */
function adviceOn(words: string): string {
  if (/app(lication)?-specific password|web ?browser|534/i.test(words)) return '; Google requires an app password or --provider google';
  if (/SmtpClientAuthentication|basic authentication|5\.7\.(139|30|57)/i.test(words))
    return '; Microsoft has disabled passwords for this account: use --provider microsoft';
  if (/538|STARTTLS/i.test(words)) return '; the server requires TLS: add ?tls=required, or use smtps:// or imaps://';
  return '';
}
