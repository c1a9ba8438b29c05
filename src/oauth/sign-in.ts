import * as oauth from 'openid-client';
import type { App } from '../app.ts';
import { conflict } from '../core/errors.ts';
import { authorizationServer, expiryOf, type OAuthProvider, oauthClient } from './providers.ts';
import { wordsOf } from './token-error.ts';
import type { OAuthTokens } from './tokens.ts';

/** One sign-in that a person is to carry out in a browser. */
export interface SignIn {
  /** Where the person signs in. */
  readonly url: URL;
  /** Whether an address that the browser was sent back to answers this sign-in: it carries its `state` (RFC 6749 §10.12). */
  isAnswer(address: URL): boolean;
  /** Exchanges the code in that address for tokens. Throws `conflict` with the provider's words. */
  finish(address: URL): Promise<OAuthTokens>;
}

/** The path of our redirect address; providers compare it. */
export const REDIRECT_PATH = '/callback';

/** Our redirect address at that port, with the host name that the provider accepts for installed programs. */
export const redirectAddress = (app: App, provider: OAuthProvider, port: number): string =>
  `http://${authorizationServer(app.config, provider).loopback}:${port}${REDIRECT_PATH}`;

/**
 * Prepares a sign-in by authorization code with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252). Throws `invalid_request` where
 * the settings name no client.
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
      // The path and port are those we asked for, however the address came to us.
      const answer = new URL(redirectUri);
      answer.search = address.search;
      const now = app.clock.now();
      const granted = await oauth
        .authorizationCodeGrant(client, answer, { pkceCodeVerifier: verifier, expectedState: state })
        .catch((error: unknown) => {
          throw conflict(`nothing was stored: ${provider} did not let us in (${wordsOf(error)}); try again`);
        });
      if (granted.refresh_token === undefined)
        throw conflict(
          `nothing was stored: ${provider} gave no refresh token; take its consent back in the mailbox's settings and try again`,
        );
      return { accessToken: granted.access_token, refreshToken: granted.refresh_token, expiresAt: expiryOf(granted, now) };
    },
  };
}
