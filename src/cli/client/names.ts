import { eachRecord, type ReadPage } from '../../client/pages.ts';
import { invalid, notFound, OutreachError } from '../../core/errors.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { idIn } from '../argument.ts';
import type { Api } from './api.ts';

/** A record that a command may name. */
interface Named {
  id: number;
  name: string;
}

const readAll = <Row>(read: ReadPage<Row>): Promise<Row[]> => Array.fromAsync(eachRecord(read));

const withArchived = async <Row>(read: (archived: boolean) => Promise<Row[]>): Promise<Row[]> => [
  ...(await read(false)),
  ...(await read(true)),
];

/** The kinds of records that have names. Each reads all records that the caller sees; archived ones come last. */
const KINDS = {
  account: async (api: Api): Promise<Named[]> =>
    (await readAll((page) => api.accounts.list.query(page))).map(({ id, email }) => ({ id, name: email })),
  campaign: (api: Api): Promise<Named[]> => withArchived((archived) => readAll((page) => api.campaigns.list.query({ ...page, archived }))),
  // The key and the name of a field are one name if only their case differs.
  field: async (api: Api): Promise<Named[]> =>
    (await api.customFields.list.query({})).data.flatMap(({ id, key, name }) =>
      (name.toLowerCase() === key ? [key] : [name, key]).map((one) => ({ id, name: one })),
    ),
  'rotation group': (api: Api): Promise<Named[]> => readAll((page) => api.rotations.list.query(page)),
  list: (api: Api): Promise<Named[]> => readAll((page) => api.lists.list.query(page)),
  template: (api: Api): Promise<Named[]> => withArchived((archived) => readAll((page) => api.templates.list.query({ ...page, archived }))),
} satisfies Record<string, (api: Api) => Promise<Named[]>>;

export type NamedKind = keyof typeof KINDS;

/** The names of all records of a kind that the caller sees. */
export const namesOf = (api: Api, kind: NamedKind): Promise<Named[]> => KINDS[kind](api);

/** Checks whether another client has the record that a command named last: the one that a `not_found` error is about. */
const lastNamed = new WeakMap<Api, (other: Api) => Promise<boolean>>();

/**
 * Remembers the check for the record that a command names now; undefined forgets it. A record that was found by name is forgotten, because a
 * later `not_found` is about something else.
 */
export function remember(api: Api, isWith: ((other: Api) => Promise<boolean>) | undefined): void {
  if (isWith === undefined) lastNamed.delete(api);
  else lastNamed.set(api, isWith);
}

/** Returns whether another client, in its own workspace, has the record that the first client did not find. */
export const isFoundBy = async (other: Api, api: Api): Promise<boolean> => (await lastNamed.get(api)?.(other)) ?? false;

async function isAmong(api: Api, kind: NamedKind, text: string): Promise<boolean> {
  const wanted = text.trim().toLowerCase();
  return (await namesOf(api, kind)).some(({ id, name }) => String(id) === wanted || name.toLowerCase() === wanted);
}

/**
 * The id of the record that an argument names by its id or, ignoring case, by its name. A number is an id. Throws `not_found`, with
 * the name that was probably meant, and `invalid_request` with the ids when several have the name.
 */
export async function idOf(api: Api, kind: NamedKind, text: string): Promise<number> {
  remember(api, (other) => isAmong(other, kind, text));
  const id = idIn(text);
  if (id !== undefined) return id;
  const names = await namesOf(api, kind);
  const wanted = text.trim().toLowerCase();
  const found = names.filter(({ name }) => name.toLowerCase() === wanted);
  if (found.length > 1) throw invalid(`several ${kind}s are named "${text}"; use an id: ${found.map(({ id }) => id).join(', ')}`);
  if (found[0] === undefined) throw unknown(kind, text, names);
  remember(api, undefined);
  return found[0].id;
}

function unknown(kind: NamedKind, text: string, names: readonly Named[]): OutreachError {
  const missing = notFound(`${kind} "${text}"`);
  const wanted = text.trim().toLowerCase();
  const nearest = nearestName(
    wanted,
    names.map(({ name }) => name.toLowerCase()),
  );
  const meant = names.find(({ name }) => name.toLowerCase() === nearest);
  if (meant === undefined) return missing;
  return new OutreachError('not_found', `${missing.message}; did you mean "${meant.name}" (${meant.id})?`);
}
