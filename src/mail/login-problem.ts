import { type MailServer, serverName } from './mail-url.ts';

/** What a server or the way to it answered to an attempt to log in. */
export interface LoginFailure {
  protocol: 'SMTP' | 'IMAP';
  server: Pick<MailServer, 'host' | 'port'>;
  user: string | null;
  /** `login`: the server refused user or password. `server`: it refused something else. `connection`: there was no answer. */
  stage: 'login' | 'server' | 'connection';
  /** The server's or the system's own words. */
  text: string;
  /** STARTTLS was demanded; a refusal before the login means that there is none. */
  isStartTls: boolean;
}

/** What the words of Node, nodemailer and imapflow mean, first match first, and what a person can do about it. */
const CAUSES: readonly [RegExp, (text: string) => string][] = [
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/, () => 'its name is not in DNS; check the host'],
  [/ECONNREFUSED/, () => 'connection refused; check host and port'],
  [/EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL/, () => "can't be reached; check host, network and firewall"],
  [
    /certificate|altnames/i,
    (text) =>
      `its certificate is not trusted (${text.split(';')[0]}); use the host name in the certificate, or trust its issuer with NODE_EXTRA_CA_CERTS`,
  ],
  [/wrong version number|packet length too long/i, () => 'no TLS on this port; for STARTTLS use smtp:// or imap://'],
  [/does not support STARTTLS/i, () => NO_STARTTLS],
  [/SSL|TLS|EPROTO/, (text) => `TLS failed (${text}); check the port`],
  [
    /time(d )?out|never received|in required time|ETIMEDOUT/i,
    () => "doesn't respond in time; check host, port and firewall, and use smtps:// or imaps:// for a port with implicit TLS",
  ],
];

const NO_STARTTLS = 'offers no STARTTLS; use a port with implicit TLS (smtps://, imaps://), or ?tls=off in a trusted network';

const MAX_TEXT = 300;

/** One line that says which server, what is wrong with it, and what to do. */
export function loginProblem({ protocol, server, user, stage, text, isStartTls }: LoginFailure): string {
  const words = text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT);
  const where = `${protocol} server ${serverName(server)}`;
  if (stage === 'login') return `${where} refused the login of ${user ?? 'nobody'} (${words}); check user and password${adviceOn(words)}`;
  if (stage === 'server') {
    if (isStartTls && /^50\d/.test(words)) return `${where} ${NO_STARTTLS}`;
    return `${where} refused the connection (${words}); try again later, or ask its administrator`;
  }
  const cause = CAUSES.find(([pattern]) => pattern.test(words));
  return cause === undefined ? `${where} failed (${words}); check host and port` : `${where}: ${cause[1](words)}`;
}

/** Refusals that no other password would help (Google and Microsoft, standards of their own). */
function adviceOn(words: string): string {
  if (/app(lication)?-specific password|web ?browser|534/i.test(words)) return '; Google requires an app password or --provider google';
  if (/SmtpClientAuthentication|basic authentication|5\.7\.(139|30|57)/i.test(words))
    return '; Microsoft has disabled passwords for this account: use --provider microsoft';
  if (/538|STARTTLS/i.test(words)) return '; the server requires TLS: add ?tls=required, or use smtps:// or imaps://';
  return '';
}
