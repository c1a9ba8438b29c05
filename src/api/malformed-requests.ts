import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Errors of Node's HTTP parser with a status of their own (RFC 9110 §15.5, RFC 6585 §5). */
const PARSER_ERRORS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the request line and headers together are larger than 16 KiB' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
};
const MALFORMED = { status: 400, message: 'malformed HTTP request' };

/** Rejects requests that Node can't parse or that express never sees, with the error envelope of the API, and closes the connection. */
export function rejectMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, message } = PARSER_ERRORS[error.code ?? ''] ?? MALFORMED;
    socket.end(rawResponse(status, message), () => socket.destroy());
  });
  server.on('checkExpectation', (_req, res) => reject(res, 417, 'Expect: only 100-continue is supported'));
  // Without a listener Node closes the connection and sends nothing.
  server.on('connect', (req, socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(rawResponse(404, `CONNECT ${req.url} not found`));
  });
}

/** Rejects a request whose target is not a URL; express passes it on without calling any middleware. */
export const rejectTarget = (res: ServerResponse): void => reject(res, 400, 'the target of the request is not a valid URL');

function reject(res: ServerResponse, status: number, message: string): void {
  const body = envelope(status, message);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
}

const envelope = (status: number, message: string) =>
  JSON.stringify({ error: { code: status === 404 ? 'not_found' : 'invalid_request', message } });

function rawResponse(status: number, message: string): string {
  const body = envelope(status, message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
