import { createTRPCClient, localLink } from '@trpc/client';
import { z } from 'zod';
import { type Identity, operator } from '../../access/index.ts';
import { KeyLimits } from '../../api/key-limits.ts';
import type { AppRouter } from '../../api/routers/index.ts';
import { lazyRouter } from '../../api/routers/lazy.ts';
import type { App } from '../../app.ts';
import type { Api } from './api.ts';

/**
 * A client of the procedures in this process, as the operator in the workspace.
 * @param isEverywhere true if the user chose no workspace: the audit log then covers all of them
 */
export async function callProcedures(app: App, workspaceId: number, isEverywhere: boolean): Promise<Api> {
  // A command checks a schema once or twice; compiling it would take longer.
  z.config({ jitless: true });
  const caller = { ...operator(workspaceId), isEverywhere };
  const identity: Identity = { caller, name: 'Operator', email: '' };
  const limits = new KeyLimits(app.config);
  const connection = { closing: new AbortController().signal, identify: async () => identity };
  const context = { app, identity, caller, limits, connection };
  const links = [localLink<AppRouter>({ router: lazyRouter, createContext: async () => context })];
  return createTRPCClient<AppRouter>({ links });
}

// Importing access/index.ts separately would load all that it exports, and so the daemon with the whole API: a second for each command.
export { findWorkspace, listWorkspaces } from '../../access/index.ts';
