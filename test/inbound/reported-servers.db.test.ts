import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { countUnreadable, MailboxPoller } from '../../src/inbound/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { refuse, replaced } from '../support/hostile/deviations.ts';
import { type Deviation, type ImapProfile, startHostileImap } from '../support/hostile/imap.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

/**
 * "What a server leaves out, refuses, garbles or repeats costs that message or that folder, never the mailbox." Servers as people report
 * them of programs like ours, in one table: each gives a person's reply, which is read; the poll is complete, so follow-ups leave; nothing
 * is quarantined.
 */
let installation: TestInstallation;
let poller: MailboxPoller;
beforeAll(async () => {
  installation = await testInstallation();
  poller = new MailboxPoller(installation.app);
});
afterAll(() => poller.close());

/** Applies a deviation only the first `times` times. */
function atFirst(times: number, deviation: Deviation): Deviation {
  let left = times;
  return (command, honest) => {
    const changed = deviation(command, honest);
    return changed !== honest && left-- > 0 ? changed : honest;
  };
}

/** NetEase refuses to open a folder before the client has identified itself (RFC 2971). */
function demandingId(): Deviation {
  const known = new Set<number>();
  return ({ tag, verb, connection }, honest) => {
    if (verb === 'ID') known.add(connection);
    return verb !== 'EXAMINE' || known.has(connection)
      ? honest
      : `${tag} NO EXAMINE Unsafe Login. Please contact kefu@188.com for help\r\n`;
  };
}

/** New UIDs under a new UIDVALIDITY at each login. */
const renumbering: Deviation = ({ verb, connection }, honest) =>
  verb === 'EXAMINE' || verb === 'STATUS' ? honest.replace(/(UIDVALIDITY )\d+/, `$1${2_000 + connection}`) : honest;

const unsolicited: Deviation = ({ verb, args }, honest) =>
  verb === 'UID FETCH' && args.includes('BODY')
    ? `* 1 FETCH (FLAGS (\\Seen))\r\n* 99 FETCH (UID 77777 FLAGS (\\Deleted))\r\n${honest.replace(/(\)\r\n)(?=[^*]*$)/, '$1* 500 EXISTS\r\n* 1 FETCH (UID 1 FLAGS (\\Seen \\Recent))\r\n')}`
    : honest;

const byeInLiteral: Deviation = ({ verb, args }, honest) =>
  verb === 'UID FETCH' && args.includes('BODY')
    ? { text: `${honest.slice(0, 120)}\r\n* BYE Server shutting down\r\n`, thenCut: true }
    : honest;

const withoutUidOf = (uid: number): Deviation => replaced('UID FETCH', new RegExp(`\\(UID ${uid} `), '(');
const searches =
  (change: (uids: string[]) => string): Deviation =>
  ({ verb }, honest) => {
    const [, uids = ''] = /\* SEARCH(.*)\r\n/.exec(honest) ?? [];
    return verb === 'UID SEARCH' ? honest.replace(/\* SEARCH.*\r\n/, change(uids.split(' ').filter(Boolean))) : honest;
  };
const listed =
  (...lines: string[]): Deviation =>
  ({ tag, verb, args }, honest) =>
    verb === 'LIST' && !/^"" ""/.test(args) ? `${lines.join('\r\n')}\r\n${tag} OK done\r\n` : honest;

interface Case extends ImapProfile {
  /** The folder with the reply; INBOX by default. */
  at?: string;
  /** The folder that the account has configured in addition to the usual ones. */
  named?: string;
  warned?: RegExp;
}

const CASES: Record<string, Case> = {
  'ID is demanded before a folder is opened': { capability: 'IMAP4rev1 ID UIDPLUS', deviations: [demandingId()] },
  'a folder is named without the namespace of the server': {
    namespace: '(("INBOX." ".")) NIL NIL',
    delimiter: '.',
    folders: { 'INBOX.Archive': '' },
    named: 'Archive',
    at: 'INBOX.Archive',
  },
  'the folder for spam has the namespace before its name': {
    namespace: '(("INBOX." ".")) NIL NIL',
    delimiter: '.',
    folders: { 'INBOX.Junk': '' },
    at: 'INBOX.Junk',
  },
  'a body without its origin': { deviations: [replaced('UID FETCH', /BODY\[\]<0>/g, 'BODY[]')] },
  'a body in lower case': { deviations: [replaced('UID FETCH', /BODY\[\]<0>/g, 'body[]<0>')] },
  'a body that is NIL at first': {
    deviations: [atFirst(1, replaced('UID FETCH', /(BODY\[\]<0>) \{\d+\}\r\n.*?\r\n\)\r\n/s, '$1 NIL)\r\n'))],
  },
  'a body that is empty at first': {
    deviations: [atFirst(1, replaced('UID FETCH', /(BODY\[\]<0>) \{\d+\}\r\n.*?\r\n\)\r\n/s, '$1 "")\r\n'))],
  },
  'responses that were not asked for': { deviations: [unsolicited] },
  'BYE in the middle of a message, twice': { deviations: [atFirst(2, byeInLiteral)] },
  'a folder in modified UTF-7': { folders: { 'K&AOQ-se': '' }, named: 'Käse', at: 'K&AOQ-se' },
  'a folder with an ampersand': { folders: { 'R&-D': '' }, named: 'R&D', at: 'R&-D' },
  'a folder in Chinese': { folders: { '&ZTZO9g-': '' }, named: '收件', at: '&ZTZO9g-' },
  'a folder with a comma, in quotes': {
    folders: { 'Sales, EU': '' },
    named: 'Team, "Sales, EU"',
    at: 'Sales, EU',
    warned: /no folder "Team"/,
  },
  'a folder with a comma, without quotes': {
    folders: { 'Sales, EU': '' },
    named: 'Team, Sales, EU',
    at: 'Sales, EU',
    warned: /^the server has no folder "Team"[^|]*$/,
  },
  'hits of a search in two lines': {
    deviations: [searches((uids) => `* SEARCH ${uids.slice(0, 1).join(' ')}\r\n* SEARCH ${uids.slice(1).join(' ')}\r\n`)],
  },
  'no line for a search without hits': { deviations: [searches((uids) => (uids.length === 0 ? '' : `* SEARCH ${uids.join(' ')}\r\n`))] },
  'hits of a search in reverse': { deviations: [searches((uids) => `* SEARCH ${uids.toReversed().join(' ')} \r\n`)] },
  'Gmail in German': {
    folders: { '[Google Mail]': '\\HasChildren \\Noselect', '[Google Mail]/Alle Nachrichten': '\\All', '[Google Mail]/Spam': '\\Junk' },
    at: '[Google Mail]/Alle Nachrichten',
  },
  'other UIDs at each login': { deviations: [renumbering] },
  'LIST with RETURN is refused though it is announced': {
    capability: 'IMAP4rev1 UNSELECT SPECIAL-USE LIST-EXTENDED LIST-STATUS AUTH=PLAIN SASL-IR',
    deviations: [refuse('LIST', 'BAD Command syntax error', /RETURN/)],
  },
  'a listing without a delimiter': {
    folders: { Junk: '\\Junk' },
    deviations: [listed('* LIST () NIL "INBOX"', '* LIST (\\Junk) NIL "Junk"')],
    at: 'Junk',
  },
  'a listing with literals': { deviations: [listed('* LIST () "/" {5}\r\nINBOX', '* LIST () "/" {7}\r\nA "b" c')] },
  'a listing with raw UTF-8': { deviations: [listed('* LIST () "/" "INBOX"', Buffer.from('* LIST () "/" "Entwürfe"').toString('latin1'))] },
  'a listing without INBOX': { deviations: [listed('* LIST () "/" "Archive"')] },
  'no UID for one message': { deviations: [withoutUidOf(1)] },
  'HIGHESTMODSEQ 0': {
    capability: 'IMAP4rev1 UNSELECT CONDSTORE ENABLE AUTH=PLAIN SASL-IR',
    deviations: [replaced('EXAMINE', /(\* 0 RECENT)/, '$1\r\n* OK [HIGHESTMODSEQ 0] x')],
  },
  'a folder for spam that can’t be opened': {
    folders: { Junk: '\\Junk' },
    deviations: [refuse('EXAMINE', "NO [CANNOT] Mailbox isn't a valid mbox file", /Junk/)],
    warned: /^EXAMINE Junk: NO \[CANNOT\]/,
  },
};

it.each(Object.entries(CASES))('%s', async (name, { at = 'INBOX', named = null, warned, ...profile }) => {
  const { app, clock } = installation;
  const server = await startHostileImap(profile);
  const account = await mailboxAccount(app, server.port, `${Object.keys(CASES).indexOf(name)}@example.com`, { folders: named });
  const poll = () => {
    clock.advance(5 * MINUTE);
    return poller.poll(account);
  };
  server.deliver(message({ From: 'x@stranger.example', Subject: 'News' }));
  await poll();
  const mail = await sentMail(installation, account);
  server.deliver(message({ From: 'y@stranger.example', Subject: 'More' }));
  server.deliver(reply(mail), at);
  await poll();
  expect(await poll()).not.toBeNull();
  expect(await rowOf(app, 'enrolments', mail.enrolmentId)).toMatchObject({ status: 'replied' });
  const row = await rowOf<{ poll_warning: string | null }>(app, 'accounts', account);
  expect(row).toMatchObject({ poll_error: null, last_polled_at: expect.anything() });
  if (warned === undefined) expect(row.poll_warning).toBeNull();
  else expect(row.poll_warning).toMatch(warned);
  expect(await countUnreadable(app.db, account)).toBe(0);
  await server.close();
});
