export { TokenRefused, TokenUnavailable } from './errors.ts';
export { OAUTH_PROVIDERS, type OAuthProvider } from './provider-names.ts';
export type { OAuthTokens } from './tokens.ts';

/** Loads the sign-in at a provider, which only one command needs. */
export const loadSignIn = async () => ({ ...(await import('./sign-in.ts')), ...(await import('./loopback.ts')) });

/** Loads the renewal of tokens, which only accounts with tokens need. */
export const loadRenewal = () => import('./renew.ts');
