import { connect, type Socket } from 'node:net';

const CONNECTIONS = 32;

/**
 * Measures the requests per second of a server over 32 keep-alive connections with one request in flight each. Writes to the
 * sockets directly: on a machine with two cores, a full HTTP client would measure itself. Throws on an unexpected status.
 */
export async function requestsPerSecond(
  url: string,
  paths: readonly string[],
  headers: Record<string, string>,
  seconds: number,
  status = 200,
): Promise<number> {
  const { host, hostname, port } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`));
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  let next = 0;
  const take = () => (performance.now() < end ? requests[next++ % requests.length] : undefined);
  const answered = await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(connect(Number(port), hostname), take, status)));
  return (answered.reduce((sum, count) => sum + count, 0) / (performance.now() - begin)) * 1_000;
}

/** Sends all requests on one connection, one after the other. Returns the number of responses. */
function drive(socket: Socket, take: () => Buffer | undefined, status: number): Promise<number> {
  const expected = Buffer.from(`HTTP/1.1 ${status}`);
  return new Promise((resolve, reject) => {
    let answered = 0;
    let pending: Buffer = Buffer.alloc(0);
    const send = () => {
      const request = take();
      if (request !== undefined) return void socket.write(request);
      socket.destroy();
      resolve(answered);
    };
    socket.setNoDelay(true);
    socket.once('connect', send);
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const size = answerSize(pending);
      if (size === undefined || pending.length < size) return;
      if (!pending.subarray(0, 12).equals(expected)) return void socket.destroy(new Error(pending.toString('utf8', 0, 300)));
      pending = pending.subarray(size);
      answered++;
      send();
    });
  });
}

/** The length of the first response in bytes, headers included; undefined while its headers are incomplete. */
function answerSize(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end));
  if (length === null) throw new Error('an answer without Content-Length');
  return end + 4 + Number(length[1]);
}
