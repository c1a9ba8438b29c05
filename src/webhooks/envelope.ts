/** The stored part of a webhook message. */
export interface StoredMessage {
  message_id: string;
  type: string;
  workspace_id: number;
  /** RFC 3339, UTC. */
  timestamp: string;
  data: Record<string, unknown>;
  /** Full text of the reply, for webhooks with `include_body`. */
  reply_body: string | null;
}

/** Receivers may refuse larger bodies (Standard Webhooks, "Payload size"). */
const MAX_BYTES = 20_000;

/**
 * JSON body of a message, the same bytes at every attempt. If it exceeds 20,000 bytes, the end of the reply is cut off,
 * then the contact's custom fields are left out, and `"truncated": true` is added. Fields that take more than most of it were left
 * out when the message was written, and are null.
 */
export function bodyOf({ message_id, type, timestamp, workspace_id, data: stored, reply_body }: StoredMessage): string {
  const envelope = (content: object) => JSON.stringify({ id: message_id, type, timestamp, workspace_id, data: content });
  const contact = stored.contact as { custom_fields?: object | null } | null | undefined;
  const withoutFields = { ...stored, contact: { ...contact, custom_fields: {} }, truncated: true };
  const data = contact?.custom_fields === null ? withoutFields : stored;
  const body = envelope(reply_body === null ? data : { ...data, reply_body });
  if (Buffer.byteLength(body) <= MAX_BYTES) return body;
  const without = envelope({ ...data, ...(reply_body === null ? {} : { reply_body: '' }), truncated: true });
  const left = MAX_BYTES - Buffer.byteLength(without);
  if (reply_body !== null && left > 0) return envelope({ ...data, reply_body: jsonStart(reply_body, left), truncated: true });
  return envelope({ ...withoutFields, ...(reply_body === null ? {} : { reply_body: '' }) });
}

/** Longest beginning of the text that takes at most `bytes` bytes as JSON and does not end in half a surrogate pair. */
function jsonStart(text: string, bytes: number): string {
  let [fits, tooLong] = [0, Math.min(text.length, bytes) + 1];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (Buffer.byteLength(JSON.stringify(text.slice(0, middle))) - 2 <= bytes) fits = middle;
    else tooLong = middle;
  }
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(fits - 1));
  return text.slice(0, isHalf ? fits - 1 : fits);
}
