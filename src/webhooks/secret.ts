import { createHmac, randomBytes } from 'node:crypto';
import { DAY } from '../core/clock.ts';
import type { Sealer } from '../secrets/seal.ts';
import { SEALED } from '../secrets/sealed-columns.ts';

const PREFIX = 'whsec_';
const KEY_BYTES = 32;

/** Time after a rotation during which the old secret signs, too. */
export const OLD_SECRET_LIFETIME = DAY;

/** Generates a secret: `whsec_` and 32 random bytes as base64 (Standard Webhooks, "Signature scheme"). */
export const newSecret = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64');

const placeOf = SEALED.webhookSecret.place;

export const sealWebhookSecret = (sealer: Sealer, webhookId: number, secret: string): string => sealer.seal(secret, placeOf(webhookId));

export const openWebhookSecret = (sealer: Sealer, webhookId: number, sealed: string): string => sealer.open(sealed, placeOf(webhookId));

/**
 * Signs a message: returns the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (Standard Webhooks 1.0.0).
 * During the overlap after a rotation there is one signature for each secret, so that receivers may hold either.
 * @param at time of this attempt: receivers refuse messages older than five minutes
 * @param body the exact body that is sent
 */
export function signatureHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
