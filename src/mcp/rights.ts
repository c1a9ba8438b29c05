import type { Role, Scope } from '../access/index.ts';

/** The rights of a key, by which tools are offered. */
export interface Rights {
  scopes: readonly Scope[];
  /** Why nothing may be changed; null if something may. */
  locked: string | null;
}

/** Those of a key with these scopes, whose owner has this role. */
export function rightsOf(role: Role, scopes: readonly Scope[]): Rights {
  if (role === 'view_only') return { scopes, locked: 'the owner of the key may only view' };
  return { scopes, locked: mayCall(scopes, 'drafts') ? null : 'the key may only read' };
}

/** True if a key with these scopes may call an operation that needs one. Whoever may write may also draft. */
export const mayCall = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.includes(needed) || (needed === 'drafts' && scopes.includes('write'));
