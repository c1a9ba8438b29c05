import { forbidden } from '../core/errors.ts';

export const ROLES = ['admin', 'manager', 'view_only'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The scopes of a key, each a part of its user's permissions: read; write; connect accounts, which gives a mailbox servers and credentials
 * of the caller's choice; write drafts, which a person sends; do what requires the role admin.
 */
export const SCOPES = ['read', 'write', 'connect', 'drafts', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The actor of a request, with their workspace and role. Every function that reads or changes data on behalf of a user takes one. */
export interface Caller {
  /** `cli` is the operator on the server, `system` the daemon, `recipient` a person who received an email. */
  readonly actor: 'user' | 'cli' | 'system' | 'recipient';
  readonly workspaceId: number;
  readonly userId: number | null;
  readonly role: Role;
  readonly apiKeyId: number | null;
  /** The scopes of the key. Undefined for a caller without a key, who may do all that their role permits. */
  readonly scopes?: readonly Scope[];
  readonly ip: string | null;
  /** True if the caller's role extends to every workspace: admins of the default workspace, and the operator. */
  readonly isInstallAdmin: boolean;
  /** True for the operator if they named no workspace: lists, and ids in them, then cover all workspaces. */
  readonly isEverywhere?: boolean;
}

/** The operator on the command line: an admin of the workspace, recorded as `cli`. */
export const operator = (workspaceId: number, userId: number | null = null): Caller => ({
  actor: 'cli',
  workspaceId,
  userId,
  role: 'admin',
  apiKeyId: null,
  ip: null,
  isInstallAdmin: true,
});

/** The daemon, acting in one workspace. */
export const daemon = (workspaceId: number): Caller => ({
  actor: 'system',
  workspaceId,
  userId: null,
  role: 'admin',
  apiKeyId: null,
  ip: null,
  isInstallAdmin: false,
});

/** A recipient who clicked, replied or unsubscribed. */
export const recipient = (workspaceId: number, ip: string | null): Caller => ({
  ...daemon(workspaceId),
  actor: 'recipient',
  ip,
});

export const isAdmin = (caller: Caller) => caller.role === 'admin';

/** Throws `forbidden` unless the caller's key has one of the scopes. */
export function requireScope(caller: Caller, ...scopes: readonly [Scope, ...Scope[]]): void {
  if (caller.scopes === undefined || scopes.some((scope) => caller.scopes?.includes(scope))) return;
  throw forbidden(`this key lacks the scope ${scopes[0]}; for one that has it, run: outreach key create --scopes`);
}

/** Throws `forbidden` for a caller with the role `view_only`. */
export function requireWriter(caller: Caller): void {
  if (caller.role === 'view_only') throw forbidden('a view_only key can read but not change anything');
}

/** Throws `forbidden` unless the caller is an admin, with the scope `admin`. */
export function requireAdmin(caller: Caller): void {
  requireScope(caller, 'admin');
  if (!isAdmin(caller)) throw forbidden('only an admin may do this');
}

/** Throws `forbidden` unless the caller's role extends to every workspace. */
export function requireInstallAdmin(caller: Caller): void {
  requireScope(caller, 'admin');
  if (!caller.isInstallAdmin) throw forbidden('only an admin of the default workspace may do this, because it affects every workspace');
}

const RANK: Record<Role, number> = { view_only: 0, manager: 1, admin: 2 };

/** Throws `forbidden` if the role is higher than the caller's own. */
export function requireRoleUpTo(caller: Caller, role: Role): void {
  if (RANK[role] > RANK[caller.role]) throw forbidden(`a ${caller.role} can't grant the role ${role}`);
}
