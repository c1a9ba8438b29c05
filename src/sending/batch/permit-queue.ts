import type { App } from '../../app.ts';
import { MicroBatcher } from '../../core/micro-batcher.ts';
import { type Permit, type PermitRequest, permitEmails } from '../email/permit.ts';

export type PermitQueue = MicroBatcher<PermitRequest, Permit>;

/**
 * Requests permits in groups without waiting for a group to fill: the first request is sent at the end of the event loop's
 * turn, and those that arrive meanwhile share the next statement. A single account needs a commit an email, many accounts
 * share one. No permit is requested ahead of time, so that a stop takes effect before the next email.
 *
 * A group holds one request an account, since the statement counts each day once. If it fails, each batch releases its
 * email as certainly unsent.
 */
export const permitQueue = (app: App): PermitQueue =>
  new MicroBatcher({ work: (requests) => permitEmails(app, requests), onePer: ({ account }) => account.id });
