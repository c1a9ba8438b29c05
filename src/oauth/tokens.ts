/** What a provider gave for a mailbox (RFC 6749 §5.1). */
export interface OAuthTokens {
  accessToken: string;
  /** Buys the next access token; a provider may replace it each time. */
  refreshToken: string;
  expiresAt: Date;
}
