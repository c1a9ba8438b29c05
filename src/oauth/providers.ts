import * as oauth from 'openid-client';
import { SECOND } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { invalid } from '../core/errors.ts';
import { isLoopback } from '../mail/mail-url.ts';

/** The providers that let a program into a mailbox by OAuth. */
export const OAUTH_PROVIDERS = ['google', 'microsoft'] as const;
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];

interface AuthorizationServer {
  authorize: string;
  token: string;
  /** The whole mailbox: there is no smaller right to send and read over SMTP and IMAP. */
  scope: string;
  /** What this provider wants asked besides RFC 6749, so that it gives a refresh token. */
  parameters: Record<string, string>;
  /** The loopback name that it lets an installed program be called back at (RFC 8252 §7.3). */
  loopback: '127.0.0.1' | 'localhost';
}

const SERVERS: Record<OAuthProvider, AuthorizationServer> = {
  // developers.google.com/identity/protocols/oauth2/native-app, developers.google.com/workspace/gmail/imap/xoauth2-protocol
  google: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    scope: 'https://mail.google.com/',
    parameters: { access_type: 'offline', prompt: 'consent' },
    loopback: '127.0.0.1',
  },
  // learn.microsoft.com, "Authenticate an IMAP, POP or SMTP connection using OAuth" and "Redirect URI restrictions"
  microsoft: {
    authorize: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
    parameters: { prompt: 'select_account' },
    loopback: 'localhost',
  },
};

const ANSWER_SECONDS = 15;

/** The provider's server as the settings have it: its own addresses, or `/authorize` and `/token` under the address set. */
export function authorizationServer(config: Config, provider: OAuthProvider): AuthorizationServer {
  const own = provider === 'google' ? config.googleOauthUrl : config.microsoftOauthUrl;
  if (own === undefined) return SERVERS[provider];
  const base = own.replace(/\/+$/, '');
  return { ...SERVERS[provider], authorize: `${base}/authorize`, token: `${base}/token` };
}

/** This installation as the provider knows it. Throws `invalid_request` where it was never registered there. */
export function oauthClient(config: Config, provider: OAuthProvider): oauth.Configuration {
  const [id, secret] =
    provider === 'google' ? [config.googleClientId, config.googleClientSecret] : [config.microsoftClientId, config.microsoftClientSecret];
  if (id === undefined) {
    const name = `OUTREACH_${provider.toUpperCase()}_CLIENT_ID`;
    throw invalid(`setting ${name}: needed to sign in at ${provider}; docs/mailboxes.md says how to get one (or give a password)`);
  }
  const { authorize, token } = authorizationServer(config, provider);
  const client = new oauth.Configuration(
    { issuer: new URL(authorize).origin, authorization_endpoint: authorize, token_endpoint: token },
    id,
    undefined,
    secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret),
  );
  client.timeout = ANSWER_SECONDS;
  // Tokens travel in clear text to this machine alone.
  if (isLoopback(new URL(token).hostname)) oauth.allowInsecureRequests(client);
  return client;
}

/** When an access token that was just given runs out. RFC 6749 §5.1: `expires_in` may be missing; an hour is what providers give. */
export const expiryOf = ({ expires_in }: { expires_in?: number | undefined }, now: Date): Date =>
  new Date(now.getTime() + (expires_in ?? 3_600) * SECOND);
