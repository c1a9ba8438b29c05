import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import {
  ACCOUNT_STATUSES,
  type AccountRow,
  getAccount,
  listAccounts,
  PAUSE_REASONS,
  PROVIDERS,
  RECORD_SETTINGS,
} from '../../accounts/index.ts';
import { archiveAccount, deleteAccount, pauseAccount, resumeAccount, unarchiveAccount } from '../../campaigns/index.ts';
import { pageOf, pageQuery, pathId, timestampText, untrusted } from '../../fields/fields.ts';
import { schemasOf } from '../../fields/option-schema.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

/** A sending account, as the API shows it. */
export const accountSchema = z
  .object({
    id: z.number().int(),
    provider: z.enum(PROVIDERS),
    email: z.string().meta({ example: 'zoe@example.com' }),
    ...schemasOf(RECORD_SETTINGS),
    status: z.enum(ACCOUNT_STATUSES).meta({ example: 'active' }),
    pause_reason: z.enum(PAUSE_REASONS).nullable(),
    pause_message: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: "The provider's reply, with provider_error" }),
    is_archived: z.boolean(),
    connected_at: timestampText,
  })
  .meta({ id: 'Account' }) satisfies z.ZodType<AccountRow>;

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
    .mutation(({ ctx: { app, caller }, input }) => pauseAccount(app, caller, input.id)),

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
    .mutation(({ ctx: { app, caller }, input }) => resumeAccount(app, caller, input.id)),

  archive: procedure
    .meta({
      openapi: { method: 'POST', path: '/accounts/{id}/archive', tags, summary: 'Archive an account and pause its active campaigns' },
      access: 'write',
      target,
    })
    .input(onAccount)
    .output(accountSchema)
    .mutation(({ ctx: { app, caller }, input }) => archiveAccount(app, caller, input.id)),

  unarchive: procedure
    .meta({
      openapi: { method: 'POST', path: '/accounts/{id}/unarchive', tags, summary: 'Unarchive an account' },
      access: 'write',
      target,
    })
    .input(onAccount)
    .output(accountSchema)
    .mutation(({ ctx: { app, caller }, input }) => unarchiveAccount(app, caller, input.id)),

  remove: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/accounts/{id}', tags, summary: 'Delete an account and pause its active campaigns' },
      access: 'write',
      status: 204,
      target,
    })
    .input(onAccount)
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => deleteAccount(app, caller, input.id)),
});
