import { forbidden } from '../core/errors.ts';

export const ROLES = ['admin', 'manager', 'view_only'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks for something, in which workspace, with which right. Every read and every change of a room takes one. */
export interface Caller {
  /** `cli` is the operator at the machine, `system` the daemon, `recipient` a person who was written to. */
  readonly actor: 'user' | 'cli' | 'system' | 'recipient';
  readonly workspaceId: number;
  readonly userId: number | null;
  readonly role: Role;
  readonly apiKeyId: number | null;
  readonly ip: string | null;
  /** True where the caller's role reaches beyond one workspace: admins of the default workspace, and the operator. */
  readonly isInstallAdmin: boolean;
}

/** The operator at the command line: an admin of the workspace, recorded as `cli`. */
export const operator = (workspaceId: number, userId: number | null = null): Caller => ({
  actor: 'cli',
  workspaceId,
  userId,
  role: 'admin',
  apiKeyId: null,
  ip: null,
  isInstallAdmin: true,
});

/** The daemon acting by itself inside one workspace. */
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

/** Throws `forbidden` unless the caller may change things. */
export function requireWriter(caller: Caller): void {
  if (caller.role === 'view_only') throw forbidden('a view_only key can read but not change anything');
}

/** Throws `forbidden` unless the caller is an admin. */
export function requireAdmin(caller: Caller): void {
  if (!isAdmin(caller)) throw forbidden('only an admin may do this');
}

/** Throws `forbidden` unless the caller's role reaches beyond one workspace. */
export function requireInstallAdmin(caller: Caller): void {
  if (!caller.isInstallAdmin) throw forbidden('only an admin of the default workspace may do this, because it affects every workspace');
}

const RANK: Record<Role, number> = { view_only: 0, manager: 1, admin: 2 };

/** Throws `forbidden` when the role lies above the caller's own. */
export function requireRoleUpTo(caller: Caller, role: Role): void {
  if (RANK[role] > RANK[caller.role]) throw forbidden(`a ${caller.role} can't grant the role ${role}`);
}
