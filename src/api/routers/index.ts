import { router } from '../trpc.ts';
import { resources } from './lazy.ts';

type Resources = typeof resources;

const loaded = await Promise.all(Object.entries(resources).map(async ([name, load]) => [name, await load()]));

/** All procedures, served as REST under /api/v1 and as tRPC under /trpc. Routing and documenting them needs all of them. */
export const appRouter = router(Object.fromEntries(loaded) as { [Name in keyof Resources]: Awaited<ReturnType<Resources[Name]>> });

export type AppRouter = typeof appRouter;
