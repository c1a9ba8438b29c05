import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { htmlPage } from '../html/page.ts';
import { REDIRECT_PATH } from './sign-in.ts';

/** The redirect target of a sign-in (RFC 8252 §7.3): a server on this machine that runs until the sign-in ends. */
export interface Loopback {
  readonly port: number;
  /** Resolves with the URL of the first request that `isAnswer` accepts; other requests get a 404 and have no effect. */
  answer(isAnswer: (address: URL) => boolean): Promise<URL>;
  close(): void;
}

/** Listens on a free port of the loopback interface, which other machines can't reach. */
export async function startLoopback(): Promise<Loopback> {
  let judge: (address: URL) => boolean = () => false;
  const answered = Promise.withResolvers<URL>();
  const server = createServer((request, response) => {
    // Any program on this machine may send any request: `//` is not a URL.
    const address = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (address === null || request.method !== 'GET' || address.pathname !== REDIRECT_PATH || !judge(address))
      return show(response, 404, 'Not found', '<p>This address does not belong to a sign-in, or the sign-in is over.</p>');
    const isRefused = address.searchParams.has('error');
    show(
      response,
      200,
      isRefused ? 'Sign-in failed' : 'Signed in',
      `<p>${isRefused ? 'The terminal shows the reason.' : 'You can close this page and return to the terminal.'}</p>`,
    );
    answered.resolve(address);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    answer(isAnswer) {
      judge = isAnswer;
      return answered.promise;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function show(response: ServerResponse, status: number, title: string, body: string): void {
  const { html, headers } = htmlPage(title, body);
  response.writeHead(status, { ...headers, Connection: 'close' }).end(html);
}
