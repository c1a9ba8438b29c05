import type { Role, Scope } from '../../access/index.ts';
import { isSameAddress } from '../../core/email-address.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { idIn } from '../argument.ts';
import type { Api } from './api.ts';
import { remember } from './names.ts';

/** The roles of users, without loading the code that checks them. */
export const ROLES = ['admin', 'manager', 'view_only'] as const satisfies readonly Role[];

/** The scopes of a key, without loading the code that checks them. */
export const SCOPES = ['read', 'write', 'connect', 'drafts', 'admin'] as const satisfies readonly Scope[];

/** The usual columns of a list of users. */
export const USER_COLUMNS = ['id', 'name', 'email', 'role', 'disabled', 'pending_invite', 'created_at'];

/** A member of the workspace, as the API shows it. */
export type User = Awaited<ReturnType<Api['users']['list']['query']>>['data'][number];

/** Finds a member of the workspace by address, ignoring case. Throws `not_found`. */
export async function findMember(api: Api, email: string): Promise<User> {
  const isMeant = (one: User) => isSameAddress(one.email, email);
  const user = (await membersOf(api)).find(isMeant);
  remember(api, user === undefined ? async (other) => (await membersOf(other)).some(isMeant) : undefined);
  if (user === undefined) throw notFound(`user "${email}"`);
  return user;
}

const membersOf = async (api: Api): Promise<User[]> => (await api.users.list.query({})).data;

/**
 * The id of the user that a text names by id or email address. Only admins can look up the addresses of others. Throws `invalid_request`, and
 * `not_found` for an address without a member.
 */
export async function userIdOf(api: Api, text: string): Promise<number> {
  const id = idIn(text);
  remember(api, id === undefined ? undefined : async (other) => (await membersOf(other)).some((one) => one.id === id));
  if (id !== undefined) return id;
  if (!text.includes('@')) throw invalid(`"${text}" is neither an email address nor the id of a user`);
  const me = await api.access.me.query({});
  if (me.user_id !== null && isSameAddress(me.email, text)) return me.user_id;
  if (me.role !== 'admin') throw invalid('user: only an admin can look up the addresses of others; give the id of the user');
  return (await findMember(api, text)).id;
}
