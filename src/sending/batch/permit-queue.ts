import type { App } from '../../app.ts';
import { MicroBatcher } from '../../core/micro-batcher.ts';
import { type Permit, type PermitRequest, permitEmails } from '../email/permit.ts';

export type PermitQueue = MicroBatcher<PermitRequest, Permit>;

/**
 * Asks for permits in groups without keeping anybody waiting for a group: the first is asked for at the end of the event
 * loop's turn, and what comes meanwhile goes together into the next statement. One account alone pays a commit an email,
 * many share it. Nothing is asked ahead of time, so that what a person stops takes effect before the next email.
 *
 * One of each account in a group: the statement counts a day once. Where it fails, each batch gives its email back as
 * certainly unsent.
 */
export const permitQueue = (app: App): PermitQueue =>
  new MicroBatcher({ work: (requests) => permitEmails(app, requests), onePer: ({ account }) => account.id });
