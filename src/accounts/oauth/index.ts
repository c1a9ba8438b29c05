export { accessToken } from './access-token.ts';
export { TokenRefused, TokenUnavailable } from './errors.ts';
export type { OAuthProvider } from './providers.ts';

/** What signing in at a provider needs; loaded by the one command that does it. */
export const loadSignIn = async () => ({ ...(await import('./sign-in.ts')), ...(await import('./loopback.ts')) });
