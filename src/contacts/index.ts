export { type ContactRow, getContact } from './contact.ts';
export { changeContact, createContact, removeContact, setContactArchived } from './contacts.ts';
export { createCustomField, listCustomFields } from './custom-fields.ts';
export { Contact, CustomField, FIELD_TYPES, type FieldType, List, Suppression } from './entities.ts';
export { type ExportRequest, exportContacts } from './export/export-contacts.ts';
export { type ImportRequest, type ImportResult, importContacts } from './import/index.ts';
export { listContacts } from './list-contacts.ts';
export { addMembers, createList, listLists, listMembers, removeMember } from './lists.ts';
export { isPublicDomain } from './public-domain.ts';
export {
  addSuppression,
  erasedHash,
  erasureKeys,
  isSuppressed,
  listSuppressions,
  type SuppressionRow,
  suppressedCondition,
} from './suppressions.ts';
export { contactsTrash } from './trash.ts';
