import type { Role, Scope } from '../../access/index.ts';
import { isSameAddress } from '../../core/email-address.ts';
import { notFound } from '../../core/errors.ts';
import type { Api } from './api.ts';

/** The roles of users, without loading what checks them. */
export const ROLES = ['admin', 'manager', 'view_only'] as const satisfies readonly Role[];

/** The scopes of a key, without loading what checks them. */
export const SCOPES = ['read', 'write', 'connect', 'drafts', 'admin'] as const satisfies readonly Scope[];

/** The usual columns of a list of users. */
export const USER_COLUMNS = ['id', 'name', 'email', 'role', 'disabled', 'pending_invite', 'created_at'];

/** A member of the workspace, as the API shows it. */
export type User = Awaited<ReturnType<Api['users']['list']['query']>>['data'][number];

/** Finds a member of the workspace by address, ignoring case. Throws `not_found`. */
export async function findMember(api: Api, email: string): Promise<User> {
  const { data } = await api.users.list.query({});
  const user = data.find((one) => isSameAddress(one.email, email));
  if (user === undefined) throw notFound(`user "${email}"`);
  return user;
}
