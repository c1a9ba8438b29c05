/** A client of the REST API that says what came back: status, parsed body, headers. */
export interface ApiAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer; the schema is checked where it matters
  body: any;
  headers: Headers;
}

export interface ApiClient {
  /** Where the daemon listens, without /api/v1. */
  readonly url: string;
  get(path: string): Promise<ApiAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  patch(path: string, body: unknown): Promise<ApiAnswer>;
  put(path: string, body: unknown): Promise<ApiAnswer>;
  delete(path: string, body?: unknown): Promise<ApiAnswer>;
  /** The same server with another key, or none. */
  as(key: string | null): ApiClient;
}

/** The body of a response: parsed, unless it is text such as CSV. */
export const parsed = (response: Response, text: string): unknown =>
  response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;

/** @param url where the daemon listens, without /api/v1 */
export function apiClient(url: string, key: string | null): ApiClient {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        // A form says its type itself, with its boundary.
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : parsed(response, text), headers: response.headers };
  };
  return {
    url,
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path, body) => call('DELETE', path, body),
    as: (other) => apiClient(url, other),
  };
}
