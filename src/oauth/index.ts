export { TokenRefused, TokenUnavailable } from './errors.ts';
export { OAUTH_PROVIDERS, type OAuthProvider } from './providers.ts';
export type { OAuthTokens } from './tokens.ts';

/** Signing in at a provider; loaded by the one command that does it. */
export const loadSignIn = async () => ({ ...(await import('./sign-in.ts')), ...(await import('./loopback.ts')) });

/** Buys new tokens; loaded by accounts that have some. */
export const loadRenewal = () => import('./renew.ts');
