import type { Command, Deviation } from './imap.ts';

/** Misbehaviour of servers, as people report it. Each deviation takes its target as arguments, and can be combined with the others. */

/** Leaves a fact out of the answers to these commands, such as `UIDNEXT`. */
export const withoutFact =
  (fact: string, ...verbs: readonly string[]): Deviation =>
  ({ verb }, honest) =>
    verbs.includes(verb) ? honest.replace(new RegExp(`\\* OK \\[${fact} [^\\r]*\\r\\n| ?\\b${fact} \\d+`, 'g'), '') : honest;

/** Answers with this text instead, such as `NO [CANNOT] damaged`. */
export const refuse =
  (verb: string, words: string, about: RegExp = /(?:)/): Deviation =>
  ({ tag, verb: asked, args }, honest) =>
    asked === verb && about.test(args) ? `${tag} ${words}\r\n` : honest;

/** True if a FETCH requests this message. */
const asksFor = ({ verb, args }: Command, uid: number): boolean =>
  verb === 'UID FETCH' &&
  (args.split(' ', 1)[0] ?? '').split(',').some((part) => {
    const [first = '', last = first] = part.split(':');
    return uid >= Number(first) && (last === '*' || uid <= Number(last));
  });

/** The response about one message, in an answer to FETCH. */
const response = (uid: number) =>
  new RegExp(`\\* \\d+ FETCH \\(UID ${uid}(?! ?\\d)(?:.*?BODY\\[(?:HEADER)?\\][^{]*\\{(\\d+)\\}\\r\\n)?`, 's');

/** Removes the response about a message, with its literal. */
function withoutMessage(honest: string, uid: number): string {
  const found = response(uid).exec(honest);
  if (found === null) return honest;
  const end = honest.indexOf(')\r\n', found.index + found[0].length + Number(found[1] ?? 0)) + 3;
  return honest.slice(0, found.index) + honest.slice(end);
}

/** Ends every FETCH that requests the message with this text, after the responses about the others. */
export const poison =
  (uid: number, words: string): Deviation =>
  (command, honest) => {
    if (!asksFor(command, uid)) return honest;
    return withoutMessage(honest, uid).replace(/[^\r\n]*\r\n$/, `${command.tag} ${words}\r\n`);
  };

/** Answers a FETCH with OK, but leaves the message out, `times` times. */
export function leaveOut(uid: number, times = Number.POSITIVE_INFINITY): Deviation {
  let left = times;
  return (command, honest) => (asksFor(command, uid) && left-- > 0 ? withoutMessage(honest, uid) : honest);
}

/** Cuts the connection in the middle of a FETCH that requests the message. */
export const dropAt =
  (uid: number): Deviation =>
  (command, honest) =>
    asksFor(command, uid) ? { text: withoutMessage(honest, uid).slice(0, -10), thenCut: true } : honest;

/** Becomes silent when a FETCH requests the message. */
export const silentAt =
  (uid: number): Deviation =>
  (command, honest) =>
    asksFor(command, uid) ? null : honest;

/** Changes the text of answers to these commands. */
export const replaced =
  (verb: string, pattern: RegExp, by: string): Deviation =>
  (command, honest) =>
    command.verb === verb ? honest.replace(pattern, by) : honest;

/** Deviates only while this folder is open. */
export const inFolder =
  (folder: string, deviation: Deviation): Deviation =>
  (command, honest) =>
    command.folder === folder ? deviation(command, honest) : honest;
