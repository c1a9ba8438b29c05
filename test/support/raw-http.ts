import { connect, type Socket } from 'node:net';

/** The bytes received over a connection until it ended. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Opens a connection to a server on loopback. */
export function dial(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends raw bytes, which fetch would refuse, and reads until the server ends the connection. */
export async function exchange(url: string, request: string | Buffer): Promise<RawAnswer> {
  const socket = await dial(url);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A server that refuses before it has read everything may reset. What it sent before is still valid.
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
  socket.write(request);
  await ended;
  const [head = '', text = ''] = Buffer.concat(chunks)
    .toString('utf8')
    .split(/\r\n\r\n(.*)/s);
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => field.split(/: (.*)/s)).map(([name = '', value = '']) => [name.toLowerCase(), value]),
  );
  return { status: Number(line.split(' ')[1]), headers, text };
}
