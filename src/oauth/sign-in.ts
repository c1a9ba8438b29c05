import * as oauth from 'openid-client';
import type { App } from '../app.ts';
import { conflict } from '../core/errors.ts';
import type { OAuthProvider } from './provider-names.ts';
import { authorizationServer, expiryOf, oauthClient } from './providers.ts';
import { reasonOf } from './token-error.ts';
import type { OAuthTokens } from './tokens.ts';

/** The values that connect the steps of one sign-in. Only the machine with the browser knows both. */
export interface SignInSecrets {
  /** Returned in the redirect URL (RFC 6749 §10.12). */
  state: string;
  /** PKCE's code verifier (RFC 7636 §4.1). */
  verifier: string;
}

/** The path of our redirect URI, which providers check. */
export const REDIRECT_PATH = '/callback';

/** Returns our redirect URI for this port, with the host that the provider accepts for installed programs. */
export const redirectAddress = (app: App, provider: OAuthProvider, port: number): string =>
  `http://${authorizationServer(app.config, provider).loopback}:${port}${REDIRECT_PATH}`;

export const newSignIn = (): SignInSecrets => ({ state: oauth.randomState(), verifier: oauth.randomPKCECodeVerifier() });

/** Computes PKCE's code challenge for a verifier, by S256 (RFC 7636 §4.2). */
export const challengeOf = ({ verifier }: SignInSecrets): Promise<string> => oauth.calculatePKCECodeChallenge(verifier);

/**
 * Returns the address at which a person signs in, by authorization code with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252). Throws
 * `invalid_request` if the settings have no client id.
 */
export function signInAddress(
  app: App,
  provider: OAuthProvider,
  { email, port, state, challenge }: { email: string; port: number; state: string; challenge: string },
): URL {
  const { scope, parameters } = authorizationServer(app.config, provider);
  return oauth.buildAuthorizationUrl(oauthClient(app.config, provider), {
    redirect_uri: redirectAddress(app, provider, port),
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    login_hint: email,
    ...parameters,
  });
}

/**
 * Exchanges the code in a redirect URL for tokens. Throws `conflict` with the provider's error.
 * @param port of the redirect URI in the sign-in address
 */
export async function finishSignIn(
  app: App,
  provider: OAuthProvider,
  { answer, port, state, verifier }: SignInSecrets & { answer: URL; port: number },
): Promise<OAuthTokens> {
  // Use path and port of our redirect URI, because the URL may have reached us another way.
  const redirected = new URL(redirectAddress(app, provider, port));
  redirected.search = answer.search;
  const now = app.clock.now();
  const granted = await oauth
    .authorizationCodeGrant(oauthClient(app.config, provider), redirected, { pkceCodeVerifier: verifier, expectedState: state })
    .catch((error: unknown) => {
      const serverSaid = reasonOf(error);
      throw conflict(`nothing was stored: ${provider} refused the sign-in (${serverSaid}); run the command again`, { serverSaid });
    });
  if (granted.refresh_token === undefined)
    throw conflict(
      `nothing was stored: ${provider} issued no refresh token; revoke the access of Outreach in the account's settings there, then run the command again`,
    );
  return { accessToken: granted.access_token, refreshToken: granted.refresh_token, expiresAt: expiryOf(granted, now) };
}
