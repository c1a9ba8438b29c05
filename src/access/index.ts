export { actingFor, inNameOf } from './acting-for.ts';
export { type AuditEntry, audit, auditAll, type Changes, differences } from './audit.ts';
export { allowAuditChange, pruneAuditLog } from './audit-changes.ts';
export { authenticate, type Identity } from './authenticate.ts';
export * from './caller.ts';
export { ROLES, requireInstallAdmin } from './caller.ts';
export { changeRole, disableUser, enableUser, removeUser } from './change-user.ts';
export { archiveWorkspace, setWorkspace, unarchiveWorkspace } from './change-workspace.ts';
export * from './entities.ts';
export { getHistoryEntry, type HistoryEntry, type HistoryFilter, lastEntry, listHistory } from './history.ts';
export { acceptInvitation, findInvitation, type Invitation, type Invited, inviteUser, renewInvite } from './invites.ts';
export { createKey, createMemberKey, listKeys, requireKey, revokeKey } from './keys.ts';
export { isHidden, notHidden } from './not-hidden.ts';
export { memberAddresses } from './own-side.ts';
export { findRecipient, type Recipient } from './recipient.ts';
export {
  changeRecord,
  createRecord,
  lockRecord,
  type Patch,
  type RecordKind,
  saveRecord,
  scopedRecord,
} from './records.ts';
export { copyShares, giveTo, listShares, removeShare, requireShareManager, requireSharing, share } from './shares.ts';
export { isSystemEmailSetUp, type SystemEmail, sendSystemEmail, systemMailServer } from './system-email.ts';
export { listTrash, restoreFromTrash, type TrashKind } from './trash.ts';
export {
  addUser,
  findInstallAdmin,
  findMember,
  findUserByEmail,
  getUser,
  hasMemberAddress,
  isEnabledMember,
  isMember,
  listUsers,
} from './users.ts';
export {
  isVisible,
  missing,
  requireVisible,
  type SharedTable,
  type Viewer,
  visible,
  visibleIds,
} from './visibility.ts';
export {
  footerHtml,
  getWorkspaceFooter,
  postalAddress,
  type WorkspaceFooter,
  workspaceVersion,
} from './workspace-footer.ts';
export {
  createWorkspace,
  findWorkspace,
  getWorkspace,
  isLiveWorkspace,
  listWorkspaces,
  lockWorkspace,
  recordSecret,
  renewHistory,
  requireLiveWorkspace,
  type WorkspaceRow,
} from './workspaces.ts';
