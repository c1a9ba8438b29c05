export { type AuditEntry, audit, differences } from './audit.ts';
export * from './caller.ts';
export * from './entities.ts';
export { type HistoryEntry, type HistoryFilter, listHistory } from './history.ts';
export { type Invited, inviteUser, renewInvite } from './invites.ts';
export { authenticate, createKey, type Identity, type KeyRow, listKeys, revokeKey } from './keys.ts';
export { canManageSharing, listShares, removeShare, requireShareManager, type ShareRow, share } from './shares.ts';
export { listTrash, type Restored, restoreFromTrash, type TrashKind, type TrashRow } from './trash.ts';
export { changeRole, disableUser, enableUser } from './user-changes.ts';
export { addUser, findUserByEmail, getUser, listUsers, type UserRow } from './users.ts';
export { missing, requireVisible, resourceTypeOf, type ScopedTable, type SharedTable, visible, visibleTo } from './visibility.ts';
export { archiveWorkspace, renameWorkspace, unarchiveWorkspace } from './workspace-changes.ts';
export {
  createWorkspace,
  findWorkspace,
  getWorkspace,
  listWorkspaces,
  type WorkspaceRow,
  type WorkspaceSummary,
} from './workspaces.ts';
