import { setTimeout as pause } from 'node:timers/promises';
import { dropAt, leaveOut, poison, refuse, silentAt, withoutFact } from './deviations.ts';
import type { Command, Deviation } from './imap.ts';

/** A random deviation, with a description for the message of a failed walk. */
export interface DrawnDeviation {
  name: string;
  deviation: Deviation;
}

const VERBS = [
  ...['GREETING', 'CAPABILITY', 'LOGIN', 'AUTHENTICATE', 'ID', 'NAMESPACE', 'ENABLE', 'LIST', 'LSUB', 'STATUS'],
  ...['EXAMINE', 'UID SEARCH', 'UID FETCH', 'CLOSE', 'LOGOUT'],
] as const;

const JUNK = [
  '* OK [ALERT] maintenance at noon',
  '* 3 EXPUNGE',
  '* BAD what',
  '* 4294967295 EXISTS',
  '* 1 FETCH (FLAGS (\\Seen))',
  '* [} (((',
];

/** Ways to change an answer: its untagged responses, and the line with the tag. */
const WAYS: Readonly<Record<string, (command: Command, honest: string, random: () => number) => ReturnType<Deviation>>> = {
  'refused with NO': ({ tag }) => `${tag} NO [CANNOT] not today\r\n`,
  'refused with BAD': ({ tag }) => `${tag} BAD what?\r\n`,
  'throttled after its responses': ({ tag }, honest) => honest.replace(/[^\r\n]*\r\n$/, `${tag} NO [UNAVAILABLE] try later\r\n`),
  'cut before the answer': () => ({ text: '', thenCut: true }),
  'cut within the answer': (_, honest, random) => ({ text: honest.slice(0, Math.floor(random() * honest.length)), thenCut: true }),
  'ended by BYE': () => ({ text: '* BYE shutting down\r\n', thenCut: true }),
  'without its responses': ({ tag }, honest) => `${tag} ${/ (?:OK|NO|BAD)[^\r\n]*\r\n$/.exec(honest)?.[0].trimStart() ?? 'OK\r\n'}`,
  'with its responses twice': (_, honest) => {
    const end = honest.lastIndexOf('\r\n', honest.length - 3) + 2;
    return end < 2 ? honest : honest.slice(0, end) + honest;
  },
  'with junk before it': (_, honest, random) => `${JUNK[Math.floor(random() * JUNK.length)]}\r\n${honest}`,
  'never answered': () => null,
  late: async (_, honest) => {
    await pause(100);
    return honest;
  },
};

/** Draws a deviation: an answer to one command, changed in one way, always or the first few times. */
export function drawDeviation(random: () => number): DrawnDeviation {
  const verb = VERBS[Math.floor(random() * VERBS.length)] ?? 'STATUS';
  const names = Object.keys(WAYS);
  const way = names[Math.floor(random() * names.length)] ?? '';
  let times = random() < 0.5 ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * 3);
  const name = `${verb} ${way}, ${times === Number.POSITIVE_INFINITY ? 'always' : `${times} times`}`;
  const deviation: Deviation = (command, honest) =>
    command.verb === verb && times-- > 0 ? (WAYS[way]?.(command, honest, random) ?? honest) : honest;
  return { name, deviation };
}

/** Faults of one message that don't affect the others. */
const OF_ONE_MESSAGE: Readonly<Record<string, (uid: number) => Deviation>> = {
  'refused by NO': (uid) => poison(uid, 'NO [UNAVAILABLE] Server error while fetching messages'),
  'refused by BAD': (uid) => poison(uid, 'BAD internal error'),
  'left out': (uid) => leaveOut(uid),
  'left out once': (uid) => leaveOut(uid, 1),
  'cuts the connection': dropAt,
  'silences the server': silentAt,
};

/** Things that a server may leave out or refuse while it still delivers each message. */
const WITHOUT: Readonly<Record<string, readonly Deviation[]>> = {
  nothing: [],
  UIDNEXT: [withoutFact('UIDNEXT', 'EXAMINE', 'STATUS')],
  UIDVALIDITY: [withoutFact('UIDVALIDITY', 'EXAMINE', 'STATUS')],
  'UIDNEXT and UIDVALIDITY': [withoutFact('UIDNEXT', 'EXAMINE', 'STATUS'), withoutFact('UIDVALIDITY', 'EXAMINE', 'STATUS')],
  STATUS: [refuse('STATUS', 'NO [CANNOT] no status')],
  'UID SEARCH': [refuse('UID SEARCH', 'NO [CANNOT] no search')],
};

/** Draws a fault for each of these messages, and something that the server lacks. */
export function drawFaults(random: () => number, uids: readonly number[]): { name: string; deviations: readonly Deviation[] } {
  const pick = <Value>(values: Readonly<Record<string, Value>>): [string, Value] => {
    const entries = Object.entries(values);
    return entries[Math.floor(random() * entries.length)] as [string, Value];
  };
  const [without, deviations] = pick(WITHOUT);
  const faults = uids.map((uid) => ({ uid, fault: pick(OF_ONE_MESSAGE) }));
  return {
    name: `without ${without}; ${faults.map(({ uid, fault: [name] }) => `message ${uid} ${name}`).join('; ')}`,
    deviations: [...deviations, ...faults.map(({ uid, fault: [, fault] }) => fault(uid))],
  };
}
