import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { messageOf } from '../core/errors.ts';
import { TokenRefused, TokenUnavailable } from './errors.ts';

/** Answers that only a person can change: RFC 6749 §5.2, and what Microsoft says where it wants to see somebody. */
const REFUSALS = new Set(['invalid_grant', 'interaction_required', 'login_required', 'consent_required']);

const MAX_TEXT = 300;

/** What a failed request to the authorization server means for the mailbox. */
export function tokenError(error: unknown, email: string, provider: string): TokenRefused | TokenUnavailable {
  const words = wordsOf(error);
  if (error instanceof ResponseBodyError && REFUSALS.has(error.error))
    return new TokenRefused(
      'conflict',
      `${provider} no longer lets us into ${email} (${words}); connect it again with: outreach account connect ${email} --provider ${provider}`,
      { cause: error },
    );
  const advice =
    error instanceof ResponseBodyError && /client/.test(error.error)
      ? `; check OUTREACH_${provider.toUpperCase()}_CLIENT_ID and OUTREACH_${provider.toUpperCase()}_CLIENT_SECRET`
      : '';
  return new TokenUnavailable('conflict', `${provider} gave no access token for ${email} (${words})${advice}`, { cause: error });
}

/** The provider's own words on one line, without anything that was secret in the request. */
export function wordsOf(error: unknown): string {
  const said =
    error instanceof ResponseBodyError || error instanceof AuthorizationResponseError
      ? [error.error, error.error_description].filter(Boolean).join(': ')
      : causes(error);
  return said
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}

/** "fetch failed" alone says nothing; what it was caused by does. */
function causes(error: unknown): string {
  const { cause, code } = error as { cause?: unknown; code?: unknown };
  const own = typeof code === 'string' ? `${messageOf(error)}, ${code}` : messageOf(error);
  return cause instanceof Error ? `${own}: ${causes(cause)}` : own;
}
