import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { messageOf, oneLine } from '../core/errors.ts';
import { TokenRefused, TokenUnavailable } from './errors.ts';

/** Errors that only a new sign-in resolves (RFC 6749 §5.2), including those with which Microsoft requires interaction. */
const REFUSALS = new Set(['invalid_grant', 'interaction_required', 'login_required', 'consent_required']);

const MAX_TEXT = 300;

/** Returns the error for a failed request to the authorization server: `TokenRefused` if a person must sign in again. */
export function tokenError(error: unknown, email: string, provider: string): TokenRefused | TokenUnavailable {
  const reason = reasonOf(error);
  if (error instanceof ResponseBodyError && REFUSALS.has(error.error))
    return new TokenRefused(
      'conflict',
      `${provider} no longer grants access to ${email} (${reason}); to reconnect it, run: outreach account connect ${email} --provider ${provider}`,
      { cause: error },
    );
  const advice =
    error instanceof ResponseBodyError && /client/.test(error.error)
      ? `; check OUTREACH_${provider.toUpperCase()}_CLIENT_ID and OUTREACH_${provider.toUpperCase()}_CLIENT_SECRET`
      : '';
  return new TokenUnavailable('conflict', `${provider} issued no access token for ${email} (${reason})${advice}`, { cause: error });
}

/** Returns the provider's error on one line, without any secret of the request. */
export function reasonOf(error: unknown): string {
  const said =
    error instanceof ResponseBodyError || error instanceof AuthorizationResponseError
      ? [error.error, error.error_description].filter(Boolean).join(': ')
      : causes(error);
  return oneLine(said).slice(0, MAX_TEXT);
}

/** Returns the messages of an error and its causes, because "fetch failed" alone says nothing. */
function causes(error: unknown): string {
  const { cause, code } = error as { cause?: unknown; code?: unknown };
  const own = typeof code === 'string' ? `${messageOf(error)}, ${code}` : messageOf(error);
  return cause instanceof Error ? `${own}: ${causes(cause)}` : own;
}
