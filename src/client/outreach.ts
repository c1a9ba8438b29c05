import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../api/routers/index.ts';

/*
 * The exports of the package outreach-client: a typed client of a server. It runs under Node and loads no code of the daemon.
 */

export { TRPCClientError } from '@trpc/client';
export { type Client, type ClientOptions, createClient } from './create-client.ts';
export { eachEvent, type FeedEvent, type FeedOptions } from './feed.ts';
export { eachRecord, type Page, type ReadPage } from './pages.ts';
export type { AppRouter };

/** The inputs of procedures: `Inputs['contacts']['create']`. */
export type Inputs = inferRouterInputs<AppRouter>;

/** The results of procedures: `Outputs['contacts']['get']`. */
export type Outputs = inferRouterOutputs<AppRouter>;
