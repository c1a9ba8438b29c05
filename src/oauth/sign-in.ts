import * as oauth from 'openid-client';
import type { App } from '../app.ts';
import { conflict } from '../core/errors.ts';
import { authorizationServer, expiryOf, type OAuthProvider, oauthClient } from './providers.ts';
import { reasonOf } from './token-error.ts';
import type { OAuthTokens } from './tokens.ts';

/** One sign-in that a person carries out in a browser. */
export interface SignIn {
  /** The address at which the person signs in. */
  readonly url: URL;
  /** True if a redirect URL belongs to this sign-in: it has its `state` (RFC 6749 §10.12). */
  isAnswer(address: URL): boolean;
  /** Exchanges the code in the redirect URL for tokens. Throws `conflict` with the provider's error. */
  finish(address: URL): Promise<OAuthTokens>;
}

/** The path of our redirect URI; providers compare it. */
export const REDIRECT_PATH = '/callback';

/** Our redirect URI at this port, with the host that the provider accepts for installed programs. */
export const redirectAddress = (app: App, provider: OAuthProvider, port: number): string =>
  `http://${authorizationServer(app.config, provider).loopback}:${port}${REDIRECT_PATH}`;

/**
 * Prepares a sign-in by authorization code with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252). Throws `invalid_request` if the
 * settings have no client id.
 */
export async function beginSignIn(app: App, provider: OAuthProvider, email: string, redirectUri: string): Promise<SignIn> {
  const client = oauthClient(app.config, provider);
  const { scope, parameters } = authorizationServer(app.config, provider);
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    login_hint: email,
    ...parameters,
  });
  return {
    url,
    isAnswer: (address) => address.searchParams.get('state') === state,
    async finish(address) {
      // Path and port are those of our redirect URI, however the URL reached us.
      const answer = new URL(redirectUri);
      answer.search = address.search;
      const now = app.clock.now();
      const granted = await oauth
        .authorizationCodeGrant(client, answer, { pkceCodeVerifier: verifier, expectedState: state })
        .catch((error: unknown) => {
          throw conflict(`nothing was stored: ${provider} refused the sign-in (${reasonOf(error)}); run the command again`);
        });
      if (granted.refresh_token === undefined)
        throw conflict(
          `nothing was stored: ${provider} issued no refresh token; revoke the access of Outreach in the account's settings there, then run the command again`,
        );
      return { accessToken: granted.access_token, refreshToken: granted.refresh_token, expiresAt: expiryOf(granted, now) };
    },
  };
}
