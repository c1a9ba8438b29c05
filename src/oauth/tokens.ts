/** The tokens that a provider issued for an account (RFC 6749 §5.1). */
export interface OAuthTokens {
  accessToken: string;
  /** Obtains the next access token; a provider may replace it each time. */
  refreshToken: string;
  expiresAt: Date;
}
