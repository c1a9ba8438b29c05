import { createTRPCClient, localLink } from '@trpc/client';
import { z } from 'zod';
import { findWorkspace, type Identity, operator } from '../../access/index.ts';
import { KeyLimits } from '../../api/key-limits.ts';
import type { AppRouter } from '../../api/routers/index.ts';
import { lazyRouter } from '../../api/routers/lazy.ts';
import { openInstallation, settingsOf } from '../installation.ts';
import type { Api } from './api.ts';
import type { TargetFlags } from './target.ts';

/** A client of an installation of this machine, and how to close it. */
export interface LocalApi {
  api: Api;
  dataDir: string;
  close(): Promise<void>;
}

/**
 * Opens the installation of the data directory and creates a client of the same procedures that its server has, as the operator in
 * the workspace. Throws the errors of `openInstallation`, and `not_found` for the workspace.
 */
export async function openLocalApi(flags: TargetFlags): Promise<LocalApi> {
  const { app, close } = await openInstallation(settingsOf(flags));
  // A command checks a value of each shape once or twice; compiling the check takes longer.
  z.config({ jitless: true });
  try {
    const { id } = await findWorkspace(app.db, flags.workspace);
    const caller = { ...operator(id), isEverywhere: flags.workspace === undefined };
    const identity: Identity = { caller, name: 'Operator', email: '' };
    const limits = new KeyLimits(app.config);
    const connection = { closing: new AbortController().signal, identify: async () => identity };
    const context = { app, identity, caller: identity.caller, limits, connection };
    const links = [localLink<AppRouter>({ router: lazyRouter, createContext: async () => context })];
    return { api: createTRPCClient<AppRouter>({ links }), dataDir: app.config.dataDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}
