import { accessRouter } from '../access/access.router.ts';
import { router } from './trpc.ts';

/** Every door of every room: served as REST under /api/v1 and as native tRPC under /trpc. */
export const appRouter = router({
  access: accessRouter,
});

export type AppRouter = typeof appRouter;
