import { startPlacement } from '../../sending/index.ts';
import { decorateEmail, linkOf } from '../../tracking/index.ts';
import type { RequestContext } from '../trpc.ts';

/** Starts a placement test. A module of its own, loaded on the first test: it imports code that writes emails, and listing tests doesn't need it. */
export const start = ({ app, caller }: RequestContext, id: number, input: Parameters<typeof startPlacement>[3]) =>
  startPlacement(app, caller, id, input, { decorate: decorateEmail, linkOf });
