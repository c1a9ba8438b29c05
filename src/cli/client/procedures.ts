import { createTRPCClient, localLink } from '@trpc/client';
import { z } from 'zod';
import { findWorkspace, type Identity, operator } from '../../access/index.ts';
import { KeyLimits } from '../../api/key-limits.ts';
import type { AppRouter } from '../../api/routers/index.ts';
import { lazyRouter } from '../../api/routers/lazy.ts';
import type { App } from '../../app.ts';
import type { Api } from './api.ts';

/**
 * A client of the procedures in this process, as the operator in the workspace, by default the default one. Throws `not_found` for the
 * workspace.
 */
export async function callProcedures(app: App, workspace: string | undefined): Promise<Api> {
  // A command checks a value of each shape once or twice; compiling the check takes longer.
  z.config({ jitless: true });
  const { id } = await findWorkspace(app.db, workspace);
  const caller = { ...operator(id), isEverywhere: workspace === undefined };
  const identity: Identity = { caller, name: 'Operator', email: '' };
  const limits = new KeyLimits(app.config);
  const connection = { closing: new AbortController().signal, identify: async () => identity };
  const context = { app, identity, caller, limits, connection };
  const links = [localLink<AppRouter>({ router: lazyRouter, createContext: async () => context })];
  return createTRPCClient<AppRouter>({ links });
}
