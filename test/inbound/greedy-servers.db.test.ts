import { afterEach, describe, expect, it } from 'vitest';
import { MailboxPoller, missedMessages } from '../../src/inbound/index.ts';
import { testInstallation } from '../support/database.ts';
import { type Greed, type GreedyImap, startGreedyImap } from '../support/greedy-imap.ts';
import { mailboxAccount } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

const { app } = await testInstallation();
const MIB = 1024 * 1024;
let server: GreedyImap | undefined;
let poller: MailboxPoller | undefined;
afterEach(async () => {
  poller?.close();
  await server?.close();
});

const literal = (bytes: number) => Buffer.concat([Buffer.from(`{${bytes}}\r\n`), Buffer.alloc(bytes, 'A')]);
const fetched = (bytes: number) => Buffer.concat([Buffer.from('* 1 FETCH (UID 1 BODY[]<0> '), literal(bytes), Buffer.from(')\r\n')]);

/** Sends this in response to one command, endlessly unless it is a finite text. */
const greedy =
  (verb: string, text: string | Buffer, endless = false): Greed =>
  (command, tag, say) => {
    if (command !== verb) return false;
    say(text, { endless });
    if (!endless) say(`${tag} OK done\r\n`);
    return true;
  };

const slow =
  (verb: string): Greed =>
  (command, _tag, say) => {
    if (command !== verb) return false;
    say.slowly('* OK wait\r\n');
    return true;
  };

/** docs/security.md: your provider's server can't reach "the API or the machine". */
describe('a mail server that sends more than it was asked for', () => {
  const cases: [string, Greed, { takes: number }][] = [
    [
      'a folder with 4,000,000 flags in one line',
      greedy('LIST', `* LIST (${'\\a '.repeat(4_000_000)}\\a) "/" INBOX\r\n`),
      { takes: 6 * MIB },
    ],
    ['8,000,000 numbers in one line', greedy('UID SEARCH', `* SEARCH${' 1'.repeat(8_000_000)}\r\n`), { takes: 6 * MIB }],
    ['lines of numbers without end', greedy('UID SEARCH', `* SEARCH${' 1'.repeat(1_000)}\r\n`, true), { takes: 16 * MIB }],
    ['messages of 60 MiB instead of their first 64 KiB', greedy('UID FETCH', fetched(60 * MIB)), { takes: 6 * MIB }],
    ['messages that nobody asked for, without end', greedy('UID FETCH', fetched(60 * 1024), true), { takes: 20 * MIB }],
    ['short lines without end', greedy('LIST', '* OK x\r\n'.repeat(1_000), true), { takes: 6 * MIB }],
    ['lines without sense, without end', greedy('LIST', '* ((((\r\n'.repeat(1_000), true), { takes: 6 * MIB }],
    ['a line without an end', greedy('LIST', Buffer.alloc(64 * 1024, 'A'), true), { takes: 6 * MIB }],
    ['a line now and then, forever, instead of its folders', slow('LIST'), { takes: MIB }],
    ['a line now and then, forever, instead of a login', slow('LOGIN'), { takes: MIB }],
    ['a line now and then, forever, instead of a message', slow('UID FETCH'), { takes: MIB }],
    ['a line now and then, forever, instead of a farewell', slow('LOGOUT'), { takes: MIB }],
  ];

  it.each(cases)('%s: is left, costs a few MB at most, and is named', { timeout: 60_000 }, async (title, greed, { takes }) => {
    server = await startGreedyImap(greed);
    poller = new MailboxPoller(app, { longestPoll: 2_000 });
    const id = await mailboxAccount(app, server.port, `${title.replaceAll(/\W/g, '')}@example.com`, { last_batch_at: app.clock.now() });
    const before = process.memoryUsage();
    // A poll that never ends fails at the test's own time limit.
    await poller.poll(id);
    const after = process.memoryUsage();
    expect(after.rss - before.rss).toBeLessThan(256 * MIB);
    // The sockets of both sides buffer some bytes that were never read.
    expect(server.taken()).toBeLessThan(takes * Math.max(1, server.connections) + 8 * MIB);
    const account = await rowOf<{ poll_worker: string | null; poll_error: string | null }>(app, 'accounts', id);
    expect(account.poll_worker).toBeNull();
    // If a server repeatedly loses the connection while it sends messages, only those are lost; they are listed as missing.
    const missing = await missedMessages(app.db, id);
    if (!title.includes('farewell')) expect(account.poll_error !== null || missing.length > 0).toBe(true);
  });
});
