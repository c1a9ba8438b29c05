import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { postForm } from '../../../src/cli/client/post-form.ts';
import { afterFile } from '../../support/after-file.ts';

let status = 413;
let body = '<html><body>nginx</body></html>';
const proxy = createServer((req, res) => {
  req.resume();
  res.writeHead(status, { 'content-type': 'text/html' }).end(body);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
afterFile(() => proxy.close());
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

it('what a proxy says in the place of the server is told as that', async () => {
  const sent = () => postForm({ url, key: 'k' }, '/imports', new FormData());
  await expect(sent()).rejects.toThrow(
    `the server at ${url} is not Outreach: status 413; a proxy in front of the server limits the size of uploads`,
  );
  status = 502;
  await expect(sent()).rejects.toThrow(`the server at ${url} is not Outreach: status 502`);
});

it('a key that the server refuses is told as by every other command, with what to do', async () => {
  const sent = (message: string) => {
    [status, body] = [401, JSON.stringify({ error: { code: 'unauthorized', message } })];
    return postForm({ url, key: 'k' }, '/imports', new FormData());
  };
  await expect(sent('a valid API key is required')).rejects.toMatchObject({
    ...{ code: 'unauthorized', message: `${url} does not accept the API key; run: outreach login ${url}` },
  });
  await expect(sent('the API key has expired')).rejects.toThrow(/^the API key has expired$/);
});
