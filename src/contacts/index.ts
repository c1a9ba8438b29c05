export { type ContactRow, contactColumns, contactMatches, getContact, likeLiteral } from './contact.ts';
export { type ContactPatch, changeContact, createContact, type NewContact, removeContact, setContactArchived } from './contacts.ts';
export {
  type CustomFieldRow,
  checkCustomValues,
  createCustomField,
  deleteCustomField,
  listCustomFields,
} from './custom-fields.ts';
export { Contact, CustomField, FIELD_TYPES, type FieldType, List, Suppression } from './entities.ts';
export { type ExportRequest, exportContacts } from './export/export-contacts.ts';
export { type ImportProgress, type ImportRequest, type ImportResult, importContacts } from './import/index.ts';
export { type ContactFilter, listContacts } from './list-contacts.ts';
export {
  addMembers,
  createList,
  deleteList,
  getList,
  type ListRow,
  listLists,
  listMembers,
  type MemberRow,
  removeMember,
  renameList,
} from './lists.ts';
export { isPublicDomain } from './public-domain.ts';
export {
  addSuppression,
  erasedHash,
  erasureKeys,
  isSuppressed,
  listSuppressions,
  removeSuppression,
  type SuppressionRow,
  suppressedCondition,
} from './suppressions.ts';
export { contactsTrash } from './trash.ts';
