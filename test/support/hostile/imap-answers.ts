import type { Command, ImapProfile } from './imap.ts';

export interface Folder {
  name: string;
  /** As LIST shows them, such as `\Noselect \Junk`. */
  attributes: string;
  uidValidity: number;
  uidNext: number;
  messages: { uid: number; raw: string; at: Date }[];
}

export interface Session {
  profile: ImapProfile;
  folders: ReadonlyMap<string, Folder>;
  open: string | null;
}

const CAPABILITY = 'IMAP4rev1 SASL-IR AUTH=PLAIN ID NAMESPACE UNSELECT IDLE SPECIAL-USE';

/** Returns the answer of a conforming server: the untagged responses, then the tagged one. Changes the session. */
export function answerTo(session: Session, command: Command): string {
  const { tag, verb } = command;
  const answer = ANSWERS[verb]?.(session, command) ?? `${tag} BAD unknown command`;
  return `${answer}\r\n`;
}

type Answering = (session: Session, command: Command) => string;

const capability = ({ profile }: Session) => profile.capability ?? CAPABILITY;
const done = ({ tag }: Command, code = '') => `${tag} OK ${code}done`;

const ANSWERS: Readonly<Record<string, Answering>> = {
  CAPABILITY: (session, command) => `* CAPABILITY ${capability(session)}\r\n${done(command)}`,
  LOGIN: (session, command) => done(command, `[CAPABILITY ${capability(session)}] `),
  AUTHENTICATE: (session, command) => done(command, `[CAPABILITY ${capability(session)}] `),
  ID: (_, command) => `* ID NIL\r\n${done(command)}`,
  ENABLE: (_, command) => `* ENABLED\r\n${done(command)}`,
  NOOP: (_, command) => done(command),
  NAMESPACE: ({ profile }, command) => `* NAMESPACE ${profile.namespace ?? '(("" "/")) NIL NIL'}\r\n${done(command)}`,
  LIST: (session, command) => `${listed(session, command, 'LIST')}${done(command)}`,
  XLIST: (session, command) => `${listed(session, command, 'XLIST')}${done(command)}`,
  LSUB: (session, command) => `${listed(session, command, 'LSUB')}${done(command)}`,
  STATUS: (session, command) => {
    const folder = folderIn(session, command.args);
    if (folder === undefined) return `${command.tag} NO [NONEXISTENT] no such mailbox`;
    const facts = { MESSAGES: folder.messages.length, UIDNEXT: folder.uidNext, UIDVALIDITY: folder.uidValidity, UNSEEN: 0 };
    const asked = Object.entries(facts).filter(([name]) => new RegExp(`\\b${name}\\b`, 'i').test(command.args));
    return `* STATUS "${folder.name}" (${asked.map((fact) => fact.join(' ')).join(' ')})\r\n${done(command)}`;
  },
  SELECT: opened,
  EXAMINE: opened,
  UNSELECT: closed,
  CLOSE: closed,
  'UID SEARCH': (session, command) => {
    const found = openFolder(session).messages.filter(matches(session, command.args));
    return `* SEARCH${found.map(({ uid }) => ` ${uid}`).join('')}\r\n${done(command)}`;
  },
  'UID FETCH': (session, command) => {
    const [, set = '', items = ''] = /^(\S+) (.*)$/s.exec(command.args) ?? [];
    const { messages } = openFolder(session);
    const isAsked = inSet(set, messages.at(-1)?.uid ?? 0);
    const responses = messages.map((message, index) => (isAsked(message.uid) ? fetched(index + 1, message, items) : ''));
    return `${responses.join('')}${done(command)}`;
  },
  FETCH: (session, command) => {
    const [, set = '', items = ''] = /^(\S+) (.*)$/s.exec(command.args) ?? [];
    const { messages } = openFolder(session);
    const isAsked = inSet(set, messages.length);
    return `${messages.map((message, index) => (isAsked(index + 1) ? fetched(index + 1, message, items) : '')).join('')}${done(command)}`;
  },
  IDLE: () => '+ idling',
  LOGOUT: (_, command) => `* BYE\r\n${done(command)}`,
};

function opened(session: Session, { tag, verb, args }: Command): string {
  const folder = folderIn(session, args);
  session.open = null;
  if (folder === undefined || /\\(Noselect|NonExistent)/i.test(folder.attributes)) return `${tag} NO [NONEXISTENT] no such mailbox`;
  session.open = folder.name;
  const facts = [
    '* FLAGS (\\Seen)',
    `* ${folder.messages.length} EXISTS`,
    '* 0 RECENT',
    `* OK [UIDVALIDITY ${folder.uidValidity}] valid`,
    `* OK [UIDNEXT ${folder.uidNext}] next`,
  ];
  return [...facts, `${tag} OK [READ-${verb === 'EXAMINE' ? 'ONLY' : 'WRITE'}] done`].join('\r\n');
}

function closed(session: Session, command: Command): string {
  session.open = null;
  return done(command);
}

function listed({ profile, folders }: Session, { args }: Command, verb: string): string {
  const delimiter = profile.delimiter ?? '/';
  if (/^"" ""$/.test(args)) return `* ${verb} (\\Noselect) "${delimiter}" ""\r\n`;
  const [, pattern = '*'] = /^(?:\([^)]*\) )?(?:"[^"]*"|\S+) (?:"([^"]*)"|\S+)/.exec(args.replace(/ (\w[\w.&-]*)$/, ' "$1"')) ?? [];
  const isAsked = (name: string) => pattern.endsWith('*') || pattern.endsWith('%') || pattern === name;
  return [...folders.values()]
    .filter(({ name }) => isAsked(name))
    .map(({ name, attributes }) => `* ${verb} (${attributes}) "${delimiter}" "${name}"\r\n`)
    .join('');
}

function folderIn({ folders }: Session, args: string): Folder | undefined {
  const [, quoted, plain = ''] = /^(?:"([^"]*)"|(\S+))/.exec(args) ?? [];
  const name = quoted ?? plain;
  return folders.get(/^inbox$/i.test(name) ? 'INBOX' : name);
}

function openFolder({ folders, open }: Session): Folder {
  const folder = open === null ? undefined : folders.get(open);
  if (folder === undefined) throw new Error('no folder is open');
  return folder;
}

/** Sets of sequence numbers and of UIDs, HEADER and SINCE (which matches everything: what a test delivers is new). */
function matches(session: Session, args: string): (message: Folder['messages'][number], index: number) => boolean {
  const { messages } = openFolder(session);
  const [sequence] = /^[\d:,*]+/.exec(args) ?? ['1:*'];
  const isAmong = inSet(sequence, messages.length);
  const [, set] = /\bUID (\S+)/i.exec(args) ?? [];
  const [, field, text] = /\bHEADER (\S+) "?([^"]*)"?/i.exec(args) ?? [];
  const isAsked = inSet(set ?? '1:*', messages.at(-1)?.uid ?? 0);
  return ({ uid, raw }, index) =>
    isAmong(index + 1) &&
    isAsked(uid) &&
    (field === undefined || new RegExp(`^${field}:.*`, 'im').exec(raw)?.[0].includes(text ?? '') === true);
}

function inSet(set: string, highest: number): (uid: number) => boolean {
  const number = (text: string) => (text === '*' ? highest : Number(text));
  const ranges = set.split(',').map((part) => {
    const [first = '', last = first] = part.split(':');
    return [number(first), number(last)].sort((a, b) => a - b) as [number, number];
  });
  return (uid) => ranges.some(([first, last]) => uid >= first && uid <= last);
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function internalDate(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${two(at.getUTCDate())}-${MONTHS[at.getUTCMonth()]}-${at.getUTCFullYear()}`;
  return `${day} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
}

function fetched(sequence: number, { uid, raw, at }: Folder['messages'][number], items: string): string {
  const facts = [`UID ${uid}`];
  if (/INTERNALDATE/i.test(items)) facts.push(`INTERNALDATE "${internalDate(at)}"`);
  const [, section, start, length] = /BODY(?:\.PEEK)?\[(HEADER)?\](?:<(\d+)\.(\d+)>)?/i.exec(items) ?? [];
  if (/BODY/i.test(items)) {
    const whole = section === undefined ? raw : `${raw.split('\r\n\r\n', 1)[0]}\r\n\r\n`;
    const bytes = start === undefined ? whole : whole.slice(Number(start), Number(start) + Number(length));
    facts.push(`BODY[${section ?? ''}]${start === undefined ? '' : `<${start}>`} {${bytes.length}}\r\n${bytes}`);
  }
  return `* ${sequence} FETCH (${facts.join(' ')})\r\n`;
}
