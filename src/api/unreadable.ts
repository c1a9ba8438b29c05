import { type Server, STATUS_CODES } from 'node:http';
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
  server.on('checkExpectation', (_req, res) => {
    const body = envelope('Expect: only 100-continue is understood');
    res.writeHead(417, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
  });
}

const envelope = (message: string) => JSON.stringify({ error: { code: 'invalid_request', message } });

function rawAnswer(status: number, message: string): string {
  const body = envelope(message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
