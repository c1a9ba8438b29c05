/** Values to merge into a template. A key that is present is known, even if its value is null. */
export type MergeValues = Readonly<Record<string, string | null>>;

/** The fields of a contact that templates can use. */
export interface MergeSource {
  name: string;
  email: string;
  company: string | null;
  custom_fields: Readonly<Record<string, string>>;
}

/** The values of an email besides those of its contact. */
export interface SenderValues {
  /** The link by which the recipient unsubscribes: https, http or mailto. */
  unsubscribe_url: string;
  /** The postal address of the workspace, one line; null if none is set. */
  postal_address: string | null;
}

/**
 * Builds the merge values of a contact: `name`, `first_name`, `last_name`, `email`, `company`, `domain`, and every live custom
 * field of the workspace, null if the contact has no value for it.
 * @param fieldKeys keys of the workspace's live custom fields
 */
export function contactValues(contact: MergeSource, fieldKeys: readonly string[]): MergeValues {
  const [first = '', ...rest] = contact.name.trim().split(/\s+/);
  const values: Record<string, string | null> = Object.create(null);
  for (const key of fieldKeys) values[key] = contact.custom_fields[key] ?? null;
  return Object.assign(values, {
    name: contact.name,
    first_name: first,
    last_name: rest.join(' '),
    email: contact.email,
    company: contact.company,
    domain: contact.email.slice(contact.email.lastIndexOf('@') + 1),
  });
}

/** Builds the merge values of an email: those of its contact, `unsubscribe_url` and `postal_address`. */
export const emailValues = (contact: MergeSource, fieldKeys: readonly string[], sender: SenderValues): MergeValues =>
  Object.assign(Object.create(null), contactValues(contact, fieldKeys), sender);
