declare const isPlace: unique symbol;

/**
 * The place of an encrypted value: table, column and row, and for credentials the server that they are sent to. Only the columns below
 * create a place, and encryption requires one, so no column can contain encrypted values that `secret rotate` does not know.
 */
export type Place = string & { readonly [isPlace]: true };

const place = (text: string) => text as Place;

/** The part of a mail server's settings that decides where its credentials are sent, and whether over TLS. */
interface Endpoint {
  host?: string;
  port?: number;
  secure?: boolean;
  tls?: string;
  user?: string | null;
}

/** A value of the row that is part of the place. */
export type PlaceValue = string | number | Endpoint | null;

/** A column of encrypted values, and the place that each is encrypted for. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key. */
  key: readonly string[];
  /** Columns of the row that a value is bound to as well: if one changes, the value can't be decrypted. */
  bound?: readonly string[];
  /** The additional authenticated data of a value, from the columns `key` and `bound` in their order. Never change it for a column in use. */
  place(...values: PlaceValue[]): Place;
  /** True if the value is a JSON string in a jsonb column. */
  isJson?: boolean;
}

/** Returns everything that decides where a password is sent, so that a changed row can't send it elsewhere or in clear text. */
function endpoint(value: PlaceValue | undefined): string {
  const { host, port, secure, tls, user } = typeof value === 'object' && value !== null ? value : {};
  return JSON.stringify([host, port, secure, tls, user]);
}

/**
 * Every column of encrypted values. `secret rotate` re-encrypts these, and changes nothing if it finds a value under the old
 * key anywhere else, so that a column missing here is noticed before its values are lost.
 */
export const SEALED = {
  smtpSecret: {
    table: 'accounts',
    column: 'smtp_secret',
    key: ['id'],
    bound: ['provider', 'smtp'],
    place: (id, provider, server) => place(`accounts.smtp_secret:${id}:${provider}:${endpoint(server)}`),
  },
  imapSecret: {
    table: 'accounts',
    column: 'imap_secret',
    key: ['id'],
    bound: ['imap'],
    place: (id, server) => place(`accounts.imap_secret:${id}:${endpoint(server)}`),
  },
  placementSecret: { table: 'accounts', column: 'placement_secret', key: ['id'], place: (id) => place(`accounts.placement_secret:${id}`) },
  dkimSecret: { table: 'accounts', column: 'dkim_secret', key: ['id'], place: (id) => place(`accounts.dkim_secret:${id}`) },
  webhookSecret: { table: 'webhooks', column: 'secret', key: ['id'], place: (id) => place(`webhooks.secret:${id}`) },
  // Copied from the column above, so encrypted for that place.
  formerWebhookSecret: { table: 'webhooks', column: 'previous_secret', key: ['id'], place: (id) => place(`webhooks.secret:${id}`) },
  idempotentAnswer: {
    table: 'idempotency_keys',
    column: 'body',
    key: ['api_key_id', 'key'],
    isJson: true,
    place: (apiKeyId, key) => place(`idempotency_keys:body:${apiKeyId}:${key}`),
  },
} satisfies Record<string, SealedColumn>;
