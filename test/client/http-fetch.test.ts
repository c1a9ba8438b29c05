import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { apiError } from '../../src/cli/client/api-error.ts';
import { createClient } from '../../src/client/create-client.ts';

let close = () => {};
afterEach(() => close());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => server.close();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const errorAt = async (url: string): Promise<unknown> =>
  createClient({ url, key: 'ork_x', retries: 0 })
    .access.me.query({})
    .catch((error: unknown) => apiError(error, url));

describe('a call over HTTP', () => {
  it('sends the key to the server that it is for, and follows no redirect with it', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await errorAt(url)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`no Outreach server answers at ${url}`),
    });
    expect(asked).toEqual([expect.stringMatching(/^\/trpc\/access\.me\?\S* Bearer ork_x$/)]);
  });

  it('says that no Outreach server answers where something else does, or nothing', async () => {
    const url = await serve((_, response) => response.writeHead(502).end('<html>Bad Gateway</html>'));
    expect(await errorAt(url)).toMatchObject({ message: expect.stringContaining(`no Outreach server answers at ${url}`) });
    close();
    expect(await errorAt('http://127.0.0.1:9')).toMatchObject({ message: expect.stringMatching(/ECONNREFUSED|refused|bad port/i) });
  });

  it('says when the server does not know the procedure: it runs another version', async () => {
    const body = {
      error: { message: 'procedure not found', code: -32004, data: { code: 'NOT_FOUND', httpStatus: 404, error: 'not_found' } },
    };
    const url = await serve((_, response) => response.writeHead(404).end(JSON.stringify(body)));
    expect(await errorAt(url)).toMatchObject({
      code: 'conflict',
      message: `${url} can't do this: it runs another version of Outreach than this command`,
    });
  });
});
