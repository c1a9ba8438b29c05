import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A response of the REST API: status, parsed body, headers. */
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

/** Returns the body of a response: parsed, unless it is text such as CSV. */
export const parsed = ({ headers }: Pick<Response, 'headers'>, text: string): unknown =>
  headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;

const agent = new Agent({ keepAlive: true });

/** Sends a request, and resolves with its response. `fetch` would take three times the processor time, and a run sends thousands. */
const send = (url: string, method: string, given: Record<string, string>, body?: string | Uint8Array): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // Node sets it on its own only for methods that usually have a body.
    const headers = body === undefined ? given : { ...given, 'content-length': String(Buffer.byteLength(body)) };
    request(url, { agent, method, headers }, resolve).once('error', reject).end(body);
  });

/** Encodes a form, and returns its type, which names the boundary. */
async function encoded(form: FormData): Promise<{ type: string; bytes: Uint8Array }> {
  const response = new Response(form);
  return { type: response.headers.get('content-type') ?? '', bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** @param url where the daemon listens, without /api/v1 */
export function apiClient(url: string, key: string | null): ApiClient {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> => {
    const form = body instanceof FormData ? await encoded(body) : undefined;
    const response = await send(
      `${url}/api/v1${path}`,
      method,
      {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': form?.type ?? 'application/json' }),
        ...headers,
      },
      form?.bytes ?? (body === undefined || typeof body === 'string' ? body : JSON.stringify(body)),
    );
    const answer = { status: response.statusCode ?? 0, headers: new Headers(Object.entries(response.headersDistinct).flatMap(pairs)) };
    const received = await text(response);
    return { ...answer, body: received === '' ? undefined : parsed(answer, received) };
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

const pairs = ([name, values = []]: [string, string[] | undefined]): [string, string][] => values.map((value) => [name, value]);
