import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** What Node's parser finds wrong, and the status that RFC 9110 §15.5 and RFC 6585 §5 have for it. */
const FAULTS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the request line and headers together are larger than 16 KiB' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
};
const MALFORMED = { status: 400, message: 'malformed HTTP request' };

/** Has what never becomes a request answered in the envelope of every other error, before the connection ends. */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, message } = FAULTS[error.code ?? ''] ?? MALFORMED;
    socket.end(rawAnswer(status, message), () => socket.destroy());
  });
  server.on('checkExpectation', (_req, res) => refuse(res, 417, 'Expect: only 100-continue is understood'));
  // Without a listener Node hangs up.
  server.on('connect', (req, socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(rawAnswer(404, `CONNECT ${req.url} not found`));
  });
}

/** Answers a request that express can't route at all, since what it asks for is no URL. */
export const answerUnroutable = (res: ServerResponse): void => refuse(res, 400, 'the target of the request is not a valid URL');

function refuse(res: ServerResponse, status: number, message: string): void {
  const body = envelope(status, message);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
}

const envelope = (status: number, message: string) =>
  JSON.stringify({ error: { code: status === 404 ? 'not_found' : 'invalid_request', message } });

function rawAnswer(status: number, message: string): string {
  const body = envelope(status, message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
