import type { Hook } from '@oclif/core';
import { distance } from 'fastest-levenshtein';
import { invalid } from '../core/errors.ts';

/** With more edits it is another word, not a misspelling. Cobra, the Go library, suggests commands up to the same distance. */
const MAX_EDITS = 2;

/**
 * oclif's hook `command_not_found`: suggests the command or topic that was probably meant. The id holds the arguments too,
 * `acount:show:3` for `outreach acount show 3`, so a command is compared with as many of its words as it has itself.
 */
export const unknownCommand: Hook.CommandNotFound = async ({ id, config }) => {
  const words = id.split(':');
  const [topic = ''] = words;
  const isTopic = config.topics.some(({ name }) => name === topic);
  const ids = isTopic
    ? config.commandIDs.filter((known) => known.startsWith(`${topic}:`))
    : [...config.commandIDs, ...config.topics.map(({ name }) => name)];
  const [nearest] = ids
    .map((known) => ({ known: known.replaceAll(':', ' '), edits: distance(known, words.slice(0, known.split(':').length).join(':')) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits || b.known.length - a.known.length);
  const hint = nearest === undefined ? `see: outreach ${isTopic ? `${topic} ` : ''}--help` : `did you mean "outreach ${nearest.known}"?`;
  throw invalid(`"${words.join(' ')}" is not a command; ${hint}`);
};
