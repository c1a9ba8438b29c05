declare const isPlace: unique symbol;

/**
 * The place of an encrypted value: table, column and row. Only the columns below create one and nothing is encrypted without
 * one, so no column can hold encrypted values that `secret rotate` does not know.
 */
export type Place = string & { readonly [isPlace]: true };

const place = (text: string) => text as Place;

/** A column of encrypted values, and the place that each is encrypted for. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key, in the order of the parameters of `place`. */
  key: readonly string[];
  /** The additional authenticated data of a value: never change it for a column in use. */
  place(...key: (string | number)[]): Place;
  /** True if the value is a JSON string in a jsonb column. */
  isJson?: boolean;
}

/**
 * Every column of encrypted values. `secret rotate` re-encrypts these, and changes nothing if it finds a value under the old
 * key anywhere else, so that a column missing here is noticed before its values are lost.
 */
export const SEALED = {
  smtpSecret: { table: 'accounts', column: 'smtp_secret', key: ['id'], place: (id) => place(`accounts.smtp_secret:${id}`) },
  imapSecret: { table: 'accounts', column: 'imap_secret', key: ['id'], place: (id) => place(`accounts.imap_secret:${id}`) },
  dkimSecret: { table: 'accounts', column: 'dkim_secret', key: ['id'], place: (id) => place(`accounts.dkim_secret:${id}`) },
  webhookSecret: { table: 'webhooks', column: 'secret', key: ['id'], place: (id) => place(`webhooks.secret:${id}`) },
  // Copied from the column above, so encrypted for that place.
  formerWebhookSecret: { table: 'webhooks', column: 'previous_secret', key: ['id'], place: (id) => place(`webhooks.secret:${id}`) },
  idempotentAnswer: {
    ...{ table: 'idempotency_keys', column: 'body', key: ['api_key_id', 'key'], isJson: true },
    place: (apiKeyId, key) => place(`idempotency_keys:body:${apiKeyId}:${key}`),
  },
} satisfies Record<string, SealedColumn>;
