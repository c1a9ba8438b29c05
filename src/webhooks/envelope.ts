/** What is delivered: the stored half of a message. */
export interface StoredMessage {
  message_id: string;
  type: string;
  workspace_id: number;
  /** RFC 3339, UTC. */
  timestamp: string;
  data: Record<string, unknown>;
  /** The whole reply, for webhooks with `include_body`. */
  reply_body: string | null;
}

/** Receivers may refuse larger bodies (Standard Webhooks, "Payload size"). */
const MAX_BYTES = 20_000;

/**
 * The body of a message: the same bytes at every attempt. One that would be too large loses the end of the reply, then
 * the contact's custom fields, and says so by `"truncated": true`.
 */
export function bodyOf({ message_id, type, timestamp, workspace_id, data, reply_body }: StoredMessage): string {
  const envelope = (content: object) => JSON.stringify({ id: message_id, type, timestamp, workspace_id, data: content });
  const whole = reply_body === null ? data : { ...data, reply_body };
  const body = envelope(whole);
  if (Buffer.byteLength(body) <= MAX_BYTES) return body;
  const contact = data.contact as { custom_fields?: object } | null | undefined;
  const without = envelope({ ...data, ...(reply_body === null ? {} : { reply_body: '' }), truncated: true });
  const room = MAX_BYTES - Buffer.byteLength(without);
  if (reply_body !== null && room > 0) return envelope({ ...data, reply_body: jsonStart(reply_body, room), truncated: true });
  return envelope({
    ...data,
    contact: { ...contact, custom_fields: {} },
    ...(reply_body === null ? {} : { reply_body: '' }),
    truncated: true,
  });
}

/** As much of the text's beginning as takes so many bytes in JSON, without half a surrogate pair. */
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
