import * as oauth from 'openid-client';
import { SECOND } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { invalid } from '../core/errors.ts';
import { isLoopback } from '../mail/mail-url.ts';
import type { OAuthProvider } from './provider-names.ts';

interface AuthorizationServer {
  authorize: string;
  token: string;
  /** Full access to the mailbox: there is no narrower scope for SMTP and IMAP. */
  scope: string;
  /** Parameters beyond RFC 6749. Google issues no refresh token without them. */
  parameters: Record<string, string>;
  /** The loopback host that the provider accepts in the redirect URI of an installed program (RFC 8252 §7.3). */
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

const TIMEOUT_SECONDS = 15;

/** Returns the provider's authorization server: its own endpoints, or `/authorize` and `/token` under the URL in the settings. */
export function authorizationServer(config: Config, provider: OAuthProvider): AuthorizationServer {
  const own = provider === 'google' ? config.googleOauthUrl : config.microsoftOauthUrl;
  if (own === undefined) return SERVERS[provider];
  const base = own.replace(/(?<!\/)\/+$/, '');
  return { ...SERVERS[provider], authorize: `${base}/authorize`, token: `${base}/token` };
}

/** Returns this installation as a client of the provider. Throws `invalid_request` if the settings have no client id. */
export function oauthClient(config: Config, provider: OAuthProvider): oauth.Configuration {
  const [id, secret] =
    provider === 'google' ? [config.googleClientId, config.googleClientSecret] : [config.microsoftClientId, config.microsoftClientSecret];
  if (id === undefined) {
    const name = `OUTREACH_${provider.toUpperCase()}_CLIENT_ID`;
    throw invalid(`setting ${name} is required to sign in with ${provider}; docs/accounts.md explains how to get one (or use a password)`);
  }
  const { authorize, token } = authorizationServer(config, provider);
  const client = new oauth.Configuration(
    { issuer: new URL(authorize).origin, authorization_endpoint: authorize, token_endpoint: token },
    id,
    undefined,
    secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret),
  );
  client.timeout = TIMEOUT_SECONDS;
  // Tokens are sent in clear text only to this machine.
  if (isLoopback(new URL(token).hostname)) oauth.allowInsecureRequests(client);
  return client;
}

/** Returns the expiry of a new access token. `expires_in` is optional (RFC 6749 §5.1); providers usually grant an hour. */
export const expiryOf = ({ expires_in }: { expires_in?: number | undefined }, now: Date): Date =>
  new Date(now.getTime() + (expires_in ?? 3_600) * SECOND);
