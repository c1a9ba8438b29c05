import type { Role, Scope } from '../access/index.ts';

/** The rights of a key, which decide the tools that are offered. */
export interface Rights {
  scopes: readonly Scope[];
  /** The reason why nothing may be changed, or null. */
  locked: string | null;
}

/** Returns the rights of a key with these scopes, whose owner has this role. */
export function rightsOf(role: Role, scopes: readonly Scope[]): Rights {
  if (role === 'view_only') return { scopes, locked: 'the owner of the key may only view' };
  return { scopes, locked: mayCall(scopes, 'drafts') ? null : 'the key may only read' };
}

/** True if a key with these scopes may call an operation that needs one. The scope `write` includes `drafts`. */
export const mayCall = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.includes(needed) || (needed === 'drafts' && scopes.includes('write'));
