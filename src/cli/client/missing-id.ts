import { idIn } from '../argument.ts';

interface Given {
  /** The id of the command, such as `campaign:show`. */
  command: string;
  args: Readonly<Record<string, unknown>>;
  flags: Readonly<Record<string, unknown>>;
}

/**
 * Adds the id to a message of the API: `campaign 17 not found`. The API says `campaign not found` for every id, so that it does not reveal
 * which exist. The id is that of the argument or flag with the record's name; if there are several, the message stays unchanged.
 */
export function withId(message: string, { command, args, flags }: Given): string {
  const noun = /^([a-z ]+) not found$/.exec(message)?.[1];
  if (noun === undefined) return message;
  const isOf = (name: string) => noun.split(' ').includes(name.replace(/_id$/, '')) || (name === 'id' && command.split(':')[0] === noun);
  const named = [...Object.entries(args), ...Object.entries(flags)].flatMap(([name, value]) => (isOf(name) ? [value].flat() : []));
  const ids = [...named, args.kind === noun ? args.record : undefined].filter((value) => idIn(String(value)) !== undefined);
  return ids.length === 1 ? `${noun} ${ids[0]} not found` : message;
}
