import { afterAll, describe, expect, it } from 'vitest';
import { openFolder, sampleBefore, uidsAfter, uidsSince } from '../../src/inbound/mailbox.ts';
import { imapClient } from '../../src/mail/imap-client.ts';
import { refuse } from '../support/hostile/deviations.ts';
import { startHostileImap } from '../support/hostile/imap.ts';

const MESSAGES = 12_001;
const server = await startHostileImap();
for (let made = 0; made < MESSAGES; made++) server.deliver('Subject: x\r\n\r\nx\r\n');
const client = await imapClient({ host: '127.0.0.1', port: server.port, secure: false, requireTLS: false, user: 'zoe', pass: 'x' });
await client.connect();
afterAll(() => client.close());
const folder = await openFolder(client, 'INBOX', undefined);
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** No response is longer than the line that a client accepts, so that no mailbox is too large to be read. */
describe('A mailbox of 12,001 messages', () => {
  it.each([[[]], [[refuse('UID SEARCH', 'BAD unknown command')]]])('is listed whole and in order', async (deviations) => {
    server.deviate(...deviations);
    expect(await uidsSince(client, folder, new Date(0))).toEqual({ uids: upTo(MESSAGES), highest: MESSAGES });
    for (const read of [0, 10, 6_000, 11_900]) expect(await uidsAfter(client, folder, read)).toEqual(upTo(MESSAGES, read + 1));
    expect(await sampleBefore(client, folder, 12_000)).toEqual([1, 6_001]);
    expect(client.usable).toBe(true);
  });

  it('is searched no further back than to the messages that were read', async () => {
    server.deviate();
    const before = server.commands.length;
    expect(await uidsAfter(client, folder, 11_900)).toHaveLength(101);
    expect(server.commands.slice(before).map(({ args }) => args)).toEqual(['11002:12001 UID 11901:*']);
  });
});
