export { absorbContact } from './absorb-contact.ts';
export { type ContactPatch, changeContact, createContact, removeContact, setContactArchived } from './change-contact.ts';
export {
  addSuppression,
  holdsInItsWorkspace,
  removeBounceSuppressions,
  removeReplySuppressions,
  removeSuppression,
} from './change-suppressions.ts';
export { isLiveContact, isRiskyAddress } from './conditions.ts';
export { contactObject } from './contact-object.ts';
export { type CustomFieldRow, createCustomField, customFieldsVersion, deleteCustomField, listCustomFields } from './custom-fields.ts';
export { Contact, CustomField, List } from './entities.ts';
export { erasedAddress } from './erased.ts';
export { FIELD_TYPES } from './field-types.ts';
export { listContacts } from './list-contacts.ts';
export {
  addMembers,
  createList,
  deleteList,
  getList,
  type ListRow,
  listLists,
  listMembers,
  listsNamed,
  lockAgainstJoining,
  removeMember,
  renameList,
} from './lists.ts';
export { loadPublicDomains } from './load-public-domains.ts';
export { isPublicDomain } from './public-domain.ts';
export { type ContactRow, contactNames, getContact } from './read-contact.ts';
export { stashSuppressions } from './stash-suppressions.ts';
export {
  addressedBy,
  isSuppressed,
  listSuppressions,
  rememberErased,
  type SuppressionRow,
  suppressedCondition,
} from './suppressions.ts';
export { type HoldingSuppression, suppressionsOf } from './suppressions-of.ts';
export { contactsTrash } from './trash.ts';
export { VERDICTS, VERIFIERS, type Verification } from './verification.ts';
export { putContact, writeContacts } from './write-contacts.ts';
