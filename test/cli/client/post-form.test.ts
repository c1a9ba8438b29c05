import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { postForm } from '../../../src/cli/client/post-form.ts';
import { afterFile } from '../../support/after-file.ts';

let status = 413;
const proxy = createServer((req, res) => {
  req.resume();
  res.writeHead(status, { 'content-type': 'text/html' }).end('<html><body>nginx</body></html>');
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
afterFile(() => proxy.close());
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

it('what a proxy says in the place of the server is told as that', async () => {
  const sent = () => postForm({ url, key: 'k' }, '/imports', new FormData());
  await expect(sent()).rejects.toThrow(
    `what answers at ${url} is no Outreach server: status 413; a proxy in front of the server limits the size of uploads`,
  );
  status = 502;
  await expect(sent()).rejects.toThrow(`what answers at ${url} is no Outreach server: status 502`);
});
