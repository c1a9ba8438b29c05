import type { Role } from '../../access/index.ts';
import type { User } from '../client/users.ts';

/** The rights of each role. */
const MAY: Readonly<Record<Role, string>> = {
  admin: 'may do everything, users and keys included',
  manager: 'may connect accounts, and run campaigns of their own and those shared with them',
  view_only: 'may read what is shared with everyone or with them, and change nothing',
};

/** Describes a user, and what they may do. */
export const describeUser = ({ id, name, email, role, disabled, pending_invite }: User): string =>
  `${name} <${email}> (user ${id}) is ${role}: ${MAY[role]}.${disabled ? ' The user is disabled.' : ''}${pending_invite ? ' Their invitation is open.' : ''}`;
