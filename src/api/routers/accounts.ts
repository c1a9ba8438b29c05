import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { getAccount, listAccounts } from '../../accounts/index.ts';
import { pageOf, pageQuery, pathId } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { accountSchema } from './account-schema.ts';

const changes = () => import('./account-changes.ts');
const tags = ['Sending accounts'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'accounts', ids.id ?? 0);
const onAccount = z.strictObject({ id: pathId });

/** Reads, pauses and archives accounts; account-setup.ts connects them and changes their settings. */
export const accountsRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/accounts', tags, summary: 'List sending accounts' } })
    .input(z.strictObject(pageQuery))
    .output(pageOf(accountSchema))
    .query(({ ctx: { app, caller }, input }) => listAccounts(app.db, caller, input)),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/accounts/{id}', tags, summary: 'Read a sending account' }, target })
    .input(onAccount)
    .output(accountSchema)
    .query(({ ctx: { app, caller }, input }) => getAccount(app.db, caller, input.id)),

  pause: procedure
    .meta({
      openapi: { method: 'POST', path: '/accounts/{id}/pause', tags, summary: 'Pause an account and its active campaigns' },
      access: 'write',
      target,
    })
    .input(onAccount)
    .output(accountSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).pauseAccount(app, caller, input.id)),

  resume: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/resume',
        tags,
        summary: 'Resume an account and the campaigns that were paused with it',
      },
      access: 'write',
      target,
      errors: { 409: 'The account is archived or disconnected' },
    })
    .input(onAccount)
    .output(accountSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).resumeAccount(app, caller, input.id)),

  archive: procedure
    .meta({
      openapi: { method: 'POST', path: '/accounts/{id}/archive', tags, summary: 'Archive an account and pause its active campaigns' },
      access: 'write',
      target,
    })
    .input(onAccount)
    .output(accountSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).archiveAccount(app, caller, input.id)),

  unarchive: procedure
    .meta({
      openapi: { method: 'POST', path: '/accounts/{id}/unarchive', tags, summary: 'Unarchive an account' },
      access: 'write',
      target,
    })
    .input(onAccount)
    .output(accountSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).unarchiveAccount(app, caller, input.id)),

  remove: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/accounts/{id}', tags, summary: 'Delete an account and pause its active campaigns' },
      access: 'write',
      status: 204,
      target,
    })
    .input(onAccount)
    .output(z.void())
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).deleteAccount(app, caller, input.id)),
});
