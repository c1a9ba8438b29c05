import { connect, createServer } from 'node:net';

/** True if a server accepts connections: on a port of 127.0.0.1, or on the Unix-domain socket of that path. */
export function accepts(at: number | string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Resolves to the wanted port if it is free (for 0, to any free port); rejects if it is taken. */
export function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
