import { setTimeout as pause } from 'node:timers/promises';
import type { SmtpDeviation, SmtpReply, SmtpScript, SmtpVerb } from './smtp.ts';

/** A random deviation of a submission server, with a description for the message of a failed walk. */
export interface DrawnScript {
  name: string;
  script: SmtpScript;
}

const VERBS = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'dot', 'RSET'] as const satisfies SmtpVerb[];

const textOf = (reply: SmtpReply): string => (typeof reply === 'string' ? reply : '250 ok');

/** Ways to answer. None of them says anything about a recipient. */
const WAYS: Readonly<Record<string, SmtpDeviation>> = {
  'refused for good': () => '554 5.7.0 not today',
  'refused for a limit': () => '550 5.4.5 Daily user sending limit exceeded',
  'refused for a moment': () => '451 4.3.0 later',
  'refused in two lines': () => '451-4.3.0 later\r\n451 4.3.0 and not before',
  'closed by 421': (socket) => {
    setImmediate(() => socket.end());
    return '421 4.3.2 Service not available, closing transmission channel';
  },
  'cut before the answer': (socket) => void socket.destroy(),
  'cut within the answer': (socket, { honest }) => void socket.end(textOf(honest).slice(0, 3)),
  'never answered': () => null,
  'a moment late': async (_, { honest }) => {
    await pause(20);
    return honest;
  },
  'answered twice': (_, { honest }) => `${textOf(honest)}\r\n${textOf(honest)}`,
  'answered with nonsense': () => 'HTTP/1.1 200 OK',
};

/** Draws a deviation: an answer to one command, given in one way, always or the first few times. */
export function drawScript(random: () => number): DrawnScript {
  const verb = VERBS[Math.floor(random() * VERBS.length)] ?? 'MAIL';
  const names = Object.keys(WAYS);
  const way = names[Math.floor(random() * names.length)] ?? '';
  let times = random() < 0.5 ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * 3);
  const name = `${verb} ${way}, ${times === Number.POSITIVE_INFINITY ? 'always' : `${times} times`}`;
  const deviation: SmtpDeviation = (socket, command) => (times-- > 0 ? WAYS[way]?.(socket, command) : command.honest);
  return { name, script: { [verb]: deviation } };
}
