import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { PLACES, type PlacementTest, readPlacements } from '../../accounts/index.ts';
import { bodyId, pathId, timestampText, untrusted } from '../../fields/fields.ts';
import { findPlacements } from '../../sending/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { accountPassword, serverUrl } from './account-schema.ts';

const placement = z.object({
  account_id: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'The account whose mailbox gets the email; null for a seed, a mailbox that is not an account here', example: 4 }),
  email: z.string().meta({ example: 'yan@example.org' }),
  provider: z.string().nullable().meta({ description: '`google`, `microsoft` or `other`; null if it is not known', example: 'google' }),
  message_id: z.string().meta({ example: '<k2v8@example.com>' }),
  place: z.enum(PLACES).meta({
    description: '`waiting` while it is looked for, 15 minutes at most; `promotions` is a tab of the inbox at Gmail',
    example: 'inbox',
  }),
  folder: z
    .string()
    .nullable()
    .meta({ ...untrusted, example: 'INBOX' }),
  authentication: z.string().nullable().meta({ description: 'Results that its receiver noted', example: 'spf=pass dkim=pass dmarc=pass' }),
  dkim_keys: z.array(z.string()).meta({ description: 'Places in DNS of the keys that signed it', example: ['s1._domainkey.example.com'] }),
  problem: z
    .string()
    .nullable()
    .meta({ ...untrusted, description: "The words of a server that refused it, or whose mailbox can't be read", example: null }),
});

const test = z
  .object({
    sent_at: timestampText,
    campaign_id: z.number().int(),
    step_order: z.number().int(),
    subject: z.string(),
    results: z.array(placement),
  })
  .meta({ id: 'PlacementTest' }) satisfies z.ZodType<PlacementTest>;
const receivers = z.array(bodyId).max(20, 'at most 20 accounts');
const email = {
  campaign_id: bodyId.optional().meta({ description: 'A campaign of the account; without it, the newest' }),
  step_order: bodyId.optional().meta({ description: 'The step to send; without it, the first email', example: 1 }),
};
const tests = z.object({ data: z.array(test).meta({ description: 'The newest first; 20 are kept' }) });

const tags = ['Sending accounts'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'accounts', ids.id ?? 0);
const byId = z.strictObject({ id: pathId });

/** Placement tests: where the emails of an account arrive, in mailboxes of the tester. */
export const accountPlacementsRouter = router({
  list: procedure
    .meta({
      openapi: { method: 'GET', path: '/accounts/{id}/placements', tags, summary: 'List the placement tests of an account' },
      target,
    })
    .input(byId)
    .output(tests)
    .query(async ({ ctx: { app, caller }, input }) => ({ data: (await readPlacements(app.db, caller, input.id)).tests })),

  start: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/placements',
        tags,
        summary: 'Test where the emails of an account arrive',
        description:
          'Sends a step of a campaign as it would leave to mailboxes of the workspace. The emails count for the day of the account and for nothing ' +
          'else; their links count and unsubscribe nobody. They are looked for until they are found, 15 minutes at most; nothing is opened or moved.',
      },
      access: 'write',
      callsOut: true,
      target,
      errors: { 409: "The account may not send now, or its server can't be reached" },
    })
    .input(
      z.strictObject({
        id: pathId,
        to: receivers.min(1, 'must name an account').meta({ description: 'Accounts whose mailboxes get it', example: [4] }),
        ...email,
      }),
    )
    .output(test)
    .mutation(async ({ ctx, input: { id, ...input } }) => (await import('./start-placement.ts')).start(ctx, id, input)),

  /** Starts a test that goes to seeds too. Served under /trpc only, because it takes the credentials of the seeds. */
  startWithSeeds: procedure
    .meta({ access: 'connect', callsOut: true, target })
    .input(
      z.strictObject({
        id: pathId,
        to: receivers,
        seeds: z
          .array(z.strictObject({ imap_url: serverUrl, imap_password: accountPassword }))
          .min(1, 'must name a mailbox')
          .max(20, 'at most 20 mailboxes'),
        ...email,
      }),
    )
    .output(test)
    .mutation(async ({ ctx, input: { id, ...input } }) => (await import('./start-placement.ts')).start(ctx, id, input)),

  find: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/placements/find',
        tags,
        summary: 'Look now for the emails of placement tests',
        description: 'A daemon does it each minute. Folders are opened for reading only.',
      },
      access: 'write',
      callsOut: true,
      target,
    })
    .input(byId)
    .output(tests)
    .mutation(async ({ ctx: { app, caller }, input }) => ({ data: await findPlacements(app, caller, input.id) })),
});
