import { afterEach, describe, expect, it } from 'vitest';
import { imapClient, latestRefusal } from '../../src/mail/imap-client.ts';
import { serverWords } from '../../src/mail/server-words.ts';
import { refuse } from '../support/hostile/deviations.ts';
import { type Deviation, type HostileImap, startHostileImap } from '../support/hostile/imap.ts';

/**
 * "What a library does not promise is used in one file, and a test named `…-upgrade` checks what that file depends on." imapflow documents
 * its options, methods and public members; these depend on the entries that it gives its logger, and on the fields of its errors.
 */
let server: HostileImap;
afterEach(() => server.close());

async function connected(...deviations: Deviation[]) {
  server = await startHostileImap({ folders: { Junk: '\\Junk' }, deviations });
  const client = await imapClient({ host: '127.0.0.1', port: server.port, secure: false, requireTLS: false, user: 'zoe', pass: 'x' });
  await client.connect();
  return client;
}

describe('a refusal that imapflow answers with false is told to its logger, with the server’s words', () => {
  it.each(['STATUS', 'UID SEARCH'])('%s', async (verb) => {
    const client = await connected(refuse(verb, 'NO [CANNOT] not today'));
    await client.mailboxOpen('INBOX', { readOnly: true });
    const asked = verb === 'STATUS' ? client.status('Junk', { uidNext: true }) : client.search({ all: true }, { uid: true });
    expect(await asked).toBeFalsy();
    expect(serverWords(latestRefusal(client))).toBe('NO [CANNOT] not today');
    client.close();
  });
});

it('an error has the words of the tagged response, with its code', async () => {
  const client = await connected(refuse('EXAMINE', 'NO [ALERT] not enabled for IMAP', /Junk/));
  const refusal = await client.mailboxOpen('Junk', { readOnly: true }).catch((error) => error);
  expect(serverWords(refusal)).toBe('NO [ALERT] not enabled for IMAP');
  client.close();
});

it('ID names Outreach, and not the library and where to report its faults', async () => {
  const client = await connected();
  expect(server.commands.find(({ verb }) => verb === 'ID')?.args).toBe('("name" "Outreach")');
  client.close();
});

it('every line that the server says is logged, so that a flood of them ends the connection', async () => {
  const flood = (honest: string) => `${'* OK still here\r\n'.repeat(25_000)}${honest}`;
  const client = await connected(({ verb }, honest) => (verb === 'NOOP' ? flood(honest) : honest));
  await client.noop().catch(() => undefined);
  expect(client.usable).toBe(false);
});
