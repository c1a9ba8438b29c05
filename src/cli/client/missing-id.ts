import { idIn } from '../argument.ts';

interface Given {
  /** Of the command, such as `campaign:show`. */
  command: string;
  args: Readonly<Record<string, unknown>>;
  flags: Readonly<Record<string, unknown>>;
}

/**
 * `campaign 17 not found` for the API's `campaign not found`, which is the same text for every id, so that it tells nobody which exist. The
 * user named one, as the argument or the flag of that noun; with several of it the message stays.
 */
export function withId(message: string, { command, args, flags }: Given): string {
  const noun = /^([a-z ]+) not found$/.exec(message)?.[1];
  if (noun === undefined) return message;
  const isOf = (name: string) => noun.split(' ').includes(name) || (name === 'id' && command.split(':')[0] === noun);
  const named = [...Object.entries(args), ...Object.entries(flags)].flatMap(([name, value]) => (isOf(name) ? [value].flat() : []));
  const ids = [...named, args.kind === noun ? args.record : undefined].filter((value) => idIn(String(value)) !== undefined);
  return ids.length === 1 ? `${noun} ${ids[0]} not found` : message;
}
