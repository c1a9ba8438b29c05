import type { AddressInfo } from 'node:net';
import { ImapFlow } from 'imapflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHoodiecrow, type Hoodiecrow } from '../../src/demo/hoodiecrow.ts';

let server: Hoodiecrow;
let client: ImapFlow;

const BODIES = ['short', 'of middle length', 'longer than all that was fetched of it'];
const raw = (body: string) => `Subject: ${body}\r\n\r\n${body}`;
const LENGTH = raw(BODIES[1] ?? '').length;

beforeEach(async () => {
  server = createHoodiecrow({ users: { zoe: { password: 'right' } }, folders: ['Sent'], plugins: ['SPECIAL-USE', 'UNSELECT'] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const body of BODIES) server.appendMessage('INBOX', [], new Date('2026-01-31T09:00:00Z'), raw(body));
  client = new ImapFlow({
    ...{ host: '127.0.0.1', port: (server.server.address() as AddressInfo).port, secure: false },
    ...{ auth: { user: 'zoe', pass: 'right' }, logger: false, disableAutoIdle: true },
  });
  await client.connect();
});
afterEach(async () => {
  await client.logout();
  await new Promise<void>((resolve) => server.close(resolve));
});

describe('an upgrade of hoodiecrow-imap breaks the demo and the tests of mailboxes unless', () => {
  it.each([
    ['by sequence number', {}],
    ['by UID', { uid: true }],
  ])('every message of one FETCH comes as long as was asked for, %s', async (_how, options) => {
    await client.mailboxOpen('INBOX');
    const fetched = await client.fetchAll('1:*', { source: { start: 0, maxLength: LENGTH } }, options);
    expect(fetched.map(({ source }) => source?.toString())).toEqual(BODIES.map((body) => raw(body).slice(0, LENGTH)));
  });

  it('a folder has the special use of its name', async () => {
    expect((await client.list()).map(({ path, specialUse }) => [path, specialUse])).toContainEqual(['Sent', '\\Sent']);
  });

  it('a UIDVALIDITY that is set on the mailbox is what the next SELECT says', async () => {
    Object.assign(server.getMailbox('INBOX') ?? {}, { uidvalidity: 77 });
    expect((await client.mailboxOpen('INBOX')).uidValidity).toBe(77n);
  });
});
