import { setTimeout as pause } from 'node:timers/promises';
import type { Command, Deviation } from './imap.ts';

/** A deviation that was drawn, with words for whoever reads why a walk failed. */
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
