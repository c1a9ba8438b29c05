declare const isPlace: unique symbol;

/**
 * Where a sealed value stands: table, column and row. Only the columns below make one, and nothing is sealed without one, so
 * that no column can hold sealed values that `secret rotate` does not know.
 */
export type Place = string & { readonly [isPlace]: true };

const place = (text: string) => text as Place;

/** A column whose values are sealed, and the place that each is sealed for. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key, in the order in which `place` takes them. */
  key: readonly string[];
  /** What is authenticated with the value: never change it for a column that is in use. */
  place(...key: (string | number)[]): Place;
  /** True when the value is a JSON string in a jsonb column. */
  isJson?: boolean;
}

/**
 * Every column that holds sealed values. `secret rotate` seals these anew, and refuses to change anything when it finds a
 * value under the old key anywhere else, so that a column which is missing here is found before its values are lost.
 */
export const SEALED = {
  smtpSecret: { table: 'accounts', column: 'smtp_secret', key: ['id'], place: (id) => place(`accounts.smtp_secret:${id}`) },
  imapSecret: { table: 'accounts', column: 'imap_secret', key: ['id'], place: (id) => place(`accounts.imap_secret:${id}`) },
  dkimSecret: { table: 'accounts', column: 'dkim_secret', key: ['id'], place: (id) => place(`accounts.dkim_secret:${id}`) },
  webhookSecret: { table: 'webhooks', column: 'secret', key: ['id'], place: (id) => place(`webhooks.secret:${id}`) },
  // Moved here from the column above as it was sealed there.
  formerWebhookSecret: { table: 'webhooks', column: 'previous_secret', key: ['id'], place: (id) => place(`webhooks.secret:${id}`) },
  idempotentAnswer: {
    ...{ table: 'idempotency_keys', column: 'body', key: ['api_key_id', 'key'], isJson: true },
    place: (apiKeyId, key) => place(`idempotency_keys:body:${apiKeyId}:${key}`),
  },
} satisfies Record<string, SealedColumn>;
