import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';

export interface PausableProxy {
  /** The database's URL through the proxy. */
  url: string;
  /** From now on nothing comes through, and no connection ends, as if the server were frozen. */
  pause(): void;
  resume(): void;
}

/** Starts a proxy for a PostgreSQL server that can be paused. */
export async function pausableProxy(databaseUrl: string): Promise<PausableProxy> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const sockets = new Set<Socket>();
  let isPaused = false;
  const server = createServer((client) => {
    const behind = folder === null ? connect(port, url.hostname) : connect(join(folder, `.s.PGSQL.${port}`));
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).once('close', () => void sockets.delete(from));
      from.on('data', (bytes) => void to.write(bytes)).on('end', () => void to.end());
      if (isPaused) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    pause() {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
