import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { claim, findTarget, type Target } from './claim.ts';
import { bodyOf, type StoredMessage } from './envelope.ts';
import type { Poster, PostResult } from './post.ts';
import { openWebhookSecret, signatureHeaders } from './secret.ts';
import { settleAttempts } from './settle.ts';

/** A webhook with a long queue gives its place to the others after so long. */
const TURN = 30 * SECOND;

/**
 * Delivers what is due to one webhook, a few messages at a time, until nothing is, it must rest, or its turn is over.
 * Each webhook has a turn of its own, so one whose receiver is dead or slow delays nobody else. At least once: a message
 * whose outcome a crash swallowed is delivered again, under the same id. Returns how many attempts were made.
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
    const goesOn = await settleAttempts(app, target, attempted);
    if (!goesOn) break;
  }
  return attempts;
}

/** One signed POST of a message, with what came of it. Without its secret nothing is sent: that attempt failed, too. */
export async function attempt(app: App, poster: Poster, target: Target, message: StoredMessage): Promise<PostResult> {
  const sealed = [target.secret, target.previous_secret].filter((secret) => secret !== null);
  let secrets: string[];
  try {
    secrets = sealed.map((secret) => openWebhookSecret(app.sealer, target.id, secret));
  } catch (error) {
    const problem = `its secret can't be opened (${messageOf(error)}); give it another: outreach webhook rotate-secret ${target.id}`;
    return { status: null, response: null, retryAfter: undefined, error: problem, milliseconds: 0 };
  }
  const body = bodyOf(message);
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
