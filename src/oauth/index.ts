export { TokenRefused, TokenUnavailable } from './errors.ts';
export { OAUTH_PROVIDERS, type OAuthProvider } from './provider-names.ts';
export type { OAuthTokens } from './tokens.ts';

/** Sign-in at a provider; loaded only by the command that needs it. */
export const loadSignIn = async () => ({ ...(await import('./sign-in.ts')), ...(await import('./loopback.ts')) });

/** Renewal of tokens; loaded only for accounts that have tokens. */
export const loadRenewal = () => import('./renew.ts');
