import { accessRouter } from '../access/access.router.ts';
import { sharesRouter } from '../access/shares.router.ts';
import { usersRouter } from '../access/users.router.ts';
import { eventsRouter } from '../events/events.router.ts';
import { router } from './trpc.ts';

/** Every door of every room: served as REST under /api/v1 and as native tRPC under /trpc. */
export const appRouter = router({
  access: accessRouter,
  users: usersRouter,
  shares: sharesRouter,
  events: eventsRouter,
});

export type AppRouter = typeof appRouter;
