import { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';

const USER = 'zoe@example.com';
const MESSAGE = 'From: ada@example.org\r\nSubject: Hi\r\n\r\nHello\r\n';

let server: ImapServer;

beforeAll(async () => {
  server = await startImapServer({ users: { [USER]: 'correct horse: "battery"' } });
});
afterAll(() => server?.close());

async function uidValidity(folder: string): Promise<bigint> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: server.port,
    auth: { user: USER, pass: 'correct horse: "battery"' },
    logger: false,
  });
  await client.connect();
  const mailbox = await client.mailboxOpen(folder);
  await client.logout();
  return mailbox.uidValidity;
}

describe('the IMAP server of the tests', () => {
  it('keeps what is appended, with its flags', async () => {
    expect(await server.messages(USER, 'INBOX')).toEqual([]);
    await server.append(USER, 'INBOX', MESSAGE);
    await server.append(USER, 'INBOX', MESSAGE, ['\\Seen']);
    await server.append(USER, 'Newsletters', MESSAGE);
    const messages = await server.messages(USER, 'INBOX');
    expect(messages.map(({ uid, flags, raw }) => [uid, flags.has('\\Seen'), raw.toString()])).toEqual([
      [1, false, MESSAGE],
      [2, true, MESSAGE],
    ]);
    expect(await server.messages(USER, 'Newsletters')).toHaveLength(1);
    await server.deleteFolder(USER, 'Newsletters');
    await expect(server.messages(USER, 'Newsletters')).rejects.toThrow();
  });

  it('changes UIDVALIDITY on demand', async () => {
    const before = await uidValidity('INBOX');
    await server.renewUidValidity(USER, 'INBOX');
    expect(await uidValidity('INBOX')).not.toBe(before);
    expect(await server.messages(USER, 'INBOX')).toHaveLength(2);
  });
});
