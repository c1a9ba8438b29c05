import type { NamedKind } from './names.ts';

interface Argument {
  options?: readonly string[] | undefined;
  /** True for a last argument that may be repeated. */
  multiple?: boolean | undefined;
}

/** The part of a command that completion needs; oclif's manifest has these fields. */
export interface Completable {
  /** Words separated by colons: `campaign:contacts:stop`. */
  id: string;
  hidden?: boolean;
  args: Readonly<Record<string, Argument>>;
  flags: Readonly<Record<string, { type: string; hidden?: boolean | undefined; options?: readonly string[] | undefined }>>;
}

/** Words that may come next, or the kind of record whose names may. */
export interface Candidates {
  words: string[];
  names?: NamedKind;
}

/** The kinds of records that arguments and flags of that name take. */
const KINDS: Readonly<Record<string, NamedKind>> = {
  account: 'account',
  campaign: 'campaign',
  field: 'field',
  list: 'list',
  rotation: 'rotation group',
  template: 'template',
};

/**
 * Returns the candidates for the last word of a command line, which may be empty or partly typed.
 * @param typed the words after the program's name, the last one included
 */
export function candidatesFor(commands: readonly Completable[], typed: readonly string[]): Candidates {
  const visible = commands.filter(({ hidden }) => !hidden);
  const [before, current] = [typed.slice(0, -1), typed.at(-1) ?? ''];
  const command = commandOf(visible, before);
  const ofTopic = current.startsWith('-') ? [] : nextWords(visible, before);
  if (command === undefined) return { words: ofTopic };
  const after = before.slice(command.id.split(':').length);
  const flag = flagOf(command, after.at(-1));
  if (flag !== undefined) return valuesOf(flag.name, flag.options);
  if (current.startsWith('-')) return { words: flagsOf(command) };
  const [name, argument] = argumentAt(command, positionals(command, after)) ?? [];
  if (name === undefined) return { words: ofTopic };
  const values = valuesOf(name, argument?.options);
  return { ...values, words: [...ofTopic, ...values.words] };
}

/** Finds the commands that the line begins with, and returns the one with the most words. */
function commandOf(commands: readonly Completable[], words: readonly string[]): Completable | undefined {
  const begins = ({ id }: Completable) => id.split(':').every((word, index) => word === words[index]);
  return commands.filter(begins).sort((a, b) => b.id.length - a.id.length)[0];
}

/** Returns the words that may follow the line in the name of a command. */
function nextWords(commands: readonly Completable[], words: readonly string[]): string[] {
  const ids = commands.map(({ id }) => id.split(':')).filter((id) => words.every((word, index) => id[index] === word));
  return [...new Set(ids.flatMap((id) => id[words.length] ?? []))].sort();
}

/** Returns the flag whose value comes next, if the word before is a flag that takes a value. */
function flagOf(command: Completable, word: string | undefined): { name: string; options: readonly string[] | undefined } | undefined {
  const name = word?.startsWith('--') ? word.slice(2) : undefined;
  const flag = name === undefined ? undefined : command.flags[name];
  return name === undefined || flag?.type !== 'option' ? undefined : { name, options: flag.options };
}

const flagsOf = ({ flags }: Completable): string[] =>
  Object.entries(flags)
    .filter(([, { hidden }]) => !hidden)
    .map(([name]) => `--${name}`)
    .sort();

/** The number of words that are arguments, and neither flags nor their values. */
const positionals = (command: Completable, words: readonly string[]): number =>
  words.filter((word, index) => !word.startsWith('-') && flagOf(command, words[index - 1]) === undefined).length;

/** Returns the argument at a position, with its name; undefined after the last one, unless that may be repeated. */
function argumentAt({ args }: Completable, place: number): [string, Argument] | undefined {
  const all = Object.entries(args);
  const last = all.at(-1);
  return all[place] ?? (last?.[1].multiple ? last : undefined);
}

function valuesOf(name: string, options: readonly string[] | undefined): Candidates {
  const kind = KINDS[name];
  return { words: [...(options ?? [])], ...(kind === undefined ? {} : { names: kind }) };
}
