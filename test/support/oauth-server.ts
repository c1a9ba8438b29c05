import { type MutableResponse, OAuth2Server, type TokenRequestIncomingMessage } from 'oauth2-mock-server';

/** A request to the token endpoint. */
interface GrantRequest {
  grant_type: string;
  refresh_token?: string;
  code_verifier?: string;
  redirect_uri?: string;
  client_id?: string;
  client_secret?: string;
}

/** A real OAuth 2.0 server on a free port: code with PKCE, and refresh tokens that it replaces each time. */
export interface OAuthServer {
  /** The value for OUTREACH_GOOGLE_OAUTH_URL and the like. */
  readonly url: string;
  readonly grants: GrantRequest[];
  /** The latest access token, `access-N`. Its refresh token is `refresh-N`. */
  readonly current: string;
  /** Answers the next requests to the token endpoint with that error (RFC 6749 §5.2), or with a bare status. */
  refuse(error: string | number, times?: number): void;
  /** Sends people back with that error instead of a code. */
  deny(error: string): void;
  close(): Promise<void>;
}

/** @param tokens by user: the tokens that mail servers accept; that of `user` is always the latest one */
export async function startOAuthServer(user: string, tokens: Record<string, string>): Promise<OAuthServer> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const grants: GrantRequest[] = [];
  let given = 0;
  let refusal: { error: string | number; times: number } = { error: '', times: 0 };
  server.service.on('beforeResponse', (response: MutableResponse, request: TokenRequestIncomingMessage) => {
    grants.push({ ...(request.body as unknown as GrantRequest) });
    if (refusal.times > 0) {
      refusal.times--;
      response.statusCode = typeof refusal.error === 'number' ? refusal.error : 400;
      response.body = typeof refusal.error === 'number' ? '' : { error: refusal.error, error_description: 'Token has been revoked.' };
      return;
    }
    given++;
    tokens[user] = `access-${given}`;
    response.body = { access_token: `access-${given}`, refresh_token: `refresh-${given}`, token_type: 'Bearer', expires_in: 3_600 };
  });
  return {
    url: server.issuer.url ?? '',
    grants,
    get current() {
      return `access-${given}`;
    },
    refuse(error, times = 1) {
      refusal = { error, times };
    },
    deny(error) {
      server.service.once('beforeAuthorizeRedirect', ({ url }: { url: URL }) => {
        url.searchParams.delete('code');
        url.searchParams.set('error', error);
      });
    },
    close: async () => {
      await server.stop();
    },
  };
}

/** Signs in: follows the provider's page back to the program, as a browser does, and returns the final page. */
export async function signInAt(url: string): Promise<Response> {
  return fetch(url, { redirect: 'follow' });
}
