/** The kinds of values that a custom field may have. */
export const FIELD_TYPES = ['text', 'number', 'email', 'phone', 'url', 'date', 'datetime', 'boolean'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];
