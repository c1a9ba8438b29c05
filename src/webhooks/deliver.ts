import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { claim, findTarget, type Target } from './claim.ts';
import { bodyOf, type StoredMessage } from './envelope.ts';
import { noticeBody } from './notice.ts';
import type { Poster, PostResult } from './post.ts';
import { recordAttempts } from './record-attempts.ts';
import { openWebhookSecret, signatureHeaders } from './secret.ts';

/** Time after which a webhook with a long queue yields to the others. */
const TURN = 30 * SECOND;

/**
 * Delivers the due messages of one webhook in small batches, until none is left, the webhook must pause or its turn of
 * 30 seconds is over. Each webhook has its own job, so that a dead or slow receiver delays no other. Delivery is
 * at-least-once: if a crash loses the outcome, the message is sent again under the same id. Returns the number of attempts.
 */
export async function deliverWebhook(app: App, poster: Poster, webhookId: number, signal: AbortSignal): Promise<number> {
  const turnEnds = performance.now() + TURN;
  let attempts = 0;
  while (!signal.aborted && performance.now() < turnEnds) {
    const target = await findTarget(app, webhookId);
    const claimed = target === undefined ? [] : await claim(app, webhookId);
    if (target === undefined || claimed.length === 0) break;
    const attempted = await Promise.all(claimed.map(async (message) => ({ message, result: await attempt(app, poster, target, message) })));
    attempts += attempted.length;
    const mayContinue = await recordAttempts(app, target, attempted);
    if (!mayContinue) break;
  }
  return attempts;
}

/** Signs and posts a message once. If the secret cannot be decrypted, nothing is sent and the attempt counts as failed. */
export async function attempt(app: App, poster: Poster, target: Target, message: StoredMessage): Promise<PostResult> {
  const sealed = [target.secret, target.previous_secret].filter((secret) => secret !== null);
  let secrets: string[];
  try {
    secrets = sealed.map((secret) => openWebhookSecret(app.sealer, target.id, secret));
  } catch (error) {
    const problem = `its secret can't be decrypted (${messageOf(error)}); to replace it, run: outreach webhook rotate-secret ${target.id}`;
    return { status: null, response: null, retryAfter: undefined, error: problem, milliseconds: 0 };
  }
  const body = target.format === 'json' ? bodyOf(message) : noticeBody(message, target.format);
  return poster.post(
    target.url,
    {
      'content-type': 'application/json',
      'user-agent': 'outreach-webhooks/1',
      ...signatureHeaders(message.message_id, app.clock.now(), body, secrets),
    },
    body,
  );
}
