import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSealer } from '../src/secrets/seal.ts';
import { readLink } from '../src/tracking/index.ts';

/** The ceiling of a click: node:http, the signature check and the redirect. Prints its address. */
const sealer = createSealer(process.env.BENCH_SECRET ?? '');
const server = createServer((req, res) => {
  const [, , mail = '', signature = '', target] = (req.url ?? '').split('/');
  const link = readLink(sealer, 'c', { mail, signature, target });
  if (link === undefined) res.writeHead(404, { 'content-length': 0 }).end();
  else
    res
      .writeHead(302, {
        location: link.url,
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'cache-control': 'no-store',
        'content-length': 0,
      })
      .end();
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => process.exit());
