import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { htmlPage } from '../html/page.ts';
import { REDIRECT_PATH } from './sign-in.ts';

/** Where the browser comes back to (RFC 8252 §7.3): a server on this machine, for as long as somebody signs in. */
export interface Loopback {
  readonly port: number;
  /** The address of the first request that answers the sign-in; other requests are turned away and change nothing. */
  answer(isAnswer: (address: URL) => boolean): Promise<URL>;
  close(): void;
}

/** Listens on a free port of the loopback interface, which no other machine can reach. */
export async function startLoopback(): Promise<Loopback> {
  let judge: (address: URL) => boolean = () => false;
  const answered = Promise.withResolvers<URL>();
  const server = createServer((request, response) => {
    // Any program of this machine may ask, and for anything: `//` is no address.
    const address = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (address === null || request.method !== 'GET' || address.pathname !== REDIRECT_PATH || !judge(address))
      return show(response, 404, 'Nothing to see here', '<p>This address belongs to a sign-in that is over, or to none.</p>');
    const isRefused = address.searchParams.has('error');
    show(
      response,
      200,
      isRefused ? 'The provider said no' : 'Thank you',
      `<p>${isRefused ? 'Outreach says in the terminal what it was told.' : 'You can close this page; the terminal goes on.'}</p>`,
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
