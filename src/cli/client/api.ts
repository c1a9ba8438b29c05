import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '../../api/routers/index.ts';

/** The typed client that commands call procedures with; the same for a server and for this machine's installation. */
export type Api = TRPCClient<AppRouter>;
