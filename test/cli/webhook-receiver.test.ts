import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { startReceiver } from '../../src/cli/client/webhook-receiver.ts';
import { afterFile } from '../support/after-file.ts';

const SECRET = `whsec_${Buffer.from('secret').toString('base64')}`;
const receiver = await startReceiver(0);
afterFile(() => receiver.close());
const seen: string[] = [];
receiver.begin(SECRET, async ({ id, body }) => {
  seen.push(id);
  return body.includes('later') ? 503 : 204;
});

async function send(id: string, body: string, key = 'secret'): Promise<number | undefined> {
  const signature = createHmac('sha256', key).update(`${id}.1.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': '1', 'webhook-signature': `v1,${signature}` };
  return fetch(receiver.url, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    // The receiver closed the connection before it had read the whole body.
    () => undefined,
  );
}

it('takes a message once: a recorded one that is sent again does nothing; one that failed may come again', async () => {
  expect(await send('m0', '{"type":"x"}', 'wrong')).toBe(401);
  for (const status of [204, 200]) expect(await send('m1', '{"type":"x"}')).toBe(status);
  for (const status of [503, 503]) expect(await send('m2', '{"type":"later"}')).toBe(status);
  expect(seen).toEqual(['m1', 'm2', 'm2']);
});

it('reads no body without end', async () => {
  expect([401, undefined]).toContain(await send('m3', `{"type":"${'x'.repeat(5_000_000)}"}`));
});
