import type { Hook } from '@oclif/core';
import { distance } from 'fastest-levenshtein';
import { invalid } from '../core/errors.ts';

/** With more edits it is another word, not a misspelling. Cobra, the Go library, suggests commands up to the same distance. */
const MAX_EDITS = 2;

/** Commands that people try, and the real ones. */
const MEANT: Readonly<Record<string, string>> = {
  'campaign stop': 'campaign pause',
  'campaign start': 'campaign activate',
  'campaign send': 'campaign activate',
  'campaign edit': 'campaign set',
  'account add': 'account connect',
  'account create': 'account connect',
  'account stop': 'account pause',
  'contact add': 'contact create',
  'campaign share': 'share add campaign',
  'account share': 'share add account',
  'reply send': 'reply answer',
  'reply snooze': 'reply later',
};

/** Verbs that people try for showing a record or a list, and the commands of a topic that may do it, likeliest first; '' is the topic itself. */
const LOOKS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['show', 'get', 'info', 'view'].map((verb) => [verb, [':show', ':list', '']])),
  ...Object.fromEntries(['list', 'ls'].map((verb) => [verb, [':list', '']])),
};

/**
 * oclif's hook `command_not_found`: suggests the command or topic that was probably meant. The id holds the arguments too,
 * `acount:show:3` for `outreach acount show 3`, so each command is compared with as many words of the id as it has itself.
 */
export const unknownCommand: Hook.CommandNotFound = async ({ id, config }) => {
  const words = id.split(':');
  const [topic = '', verb = ''] = words;
  const isTopic = config.topics.some(({ name }) => name === topic);
  const ids = isTopic
    ? config.commandIDs.filter((known) => known.startsWith(`${topic}:`))
    : [...config.commandIDs, ...config.topics.map(({ name }) => name)];
  const look = LOOKS[verb]?.map((end) => `${topic}${end}`).find((known) => config.commandIDs.includes(known));
  const meant = MEANT[words.slice(0, 2).join(' ')] ?? look?.replace(':', ' ');
  if (meant !== undefined) throw invalid(`"${words.join(' ')}" is not a command; did you mean "outreach ${meant}"?`);
  const [nearest] = ids
    .map((known) => ({ known: known.replaceAll(':', ' '), edits: distance(known, words.slice(0, known.split(':').length).join(':')) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits || b.known.length - a.known.length);
  const hint = nearest === undefined ? `see: outreach ${isTopic ? `${topic} ` : ''}--help` : `did you mean "outreach ${nearest.known}"?`;
  throw invalid(`"${words.join(' ')}" is not a command; ${hint}`);
};
