import { refreshTokenGrant } from 'openid-client';
import type { App } from '../app.ts';
import type { OAuthProvider } from './provider-names.ts';
import { expiryOf, oauthClient } from './providers.ts';
import { tokenError } from './token-error.ts';
import type { OAuthTokens } from './tokens.ts';

/**
 * Renews the tokens of an account (RFC 6749 §6); keeps the refresh token if the provider issues no new one. Throws
 * `TokenRefused`, `TokenUnavailable`, or `invalid_request` if the settings have no client id.
 */
export async function renewTokens(app: App, provider: OAuthProvider, email: string, refreshToken: string): Promise<OAuthTokens> {
  const client = oauthClient(app.config, provider);
  const now = app.clock.now();
  try {
    const granted = await refreshTokenGrant(client, refreshToken);
    return { accessToken: granted.access_token, refreshToken: granted.refresh_token ?? refreshToken, expiresAt: expiryOf(granted, now) };
  } catch (error) {
    throw tokenError(error, email, provider);
  }
}
