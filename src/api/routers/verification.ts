import { z } from 'zod';
import { campaignSearch } from '../../campaigns/index.ts';
import { searchContacts } from '../../contacts/search/index.ts';
import { MAX_VERIFIED, type VerifiedContact, verifyContacts } from '../../contacts/verify/index.ts';
import { nameServers } from '../../core/dns.ts';
import { grouped } from '../../core/english.ts';
import { invalid } from '../../core/errors.ts';
import { bodyId, dataOf } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { searchText } from './contact-schema.ts';
import { verificationSchema } from './verification-schema.ts';

const most = grouped(MAX_VERIFIED);

const verified = z
  .object({ id: z.number().int(), email: z.string(), verification: verificationSchema })
  .meta({ id: 'VerifiedContact' }) satisfies z.ZodType<VerifiedContact>;

interface Wanted {
  contact_ids?: number[] | undefined;
  search?: string | undefined;
}

/** Returns the ids that a request names and those that its search finds. Throws `invalid_request` if it has neither, or if there are too many. */
async function idsOf(context: RequestContext, { contact_ids, search }: Wanted): Promise<number[]> {
  if (contact_ids === undefined && search === undefined) throw invalid('contact_ids: give contact_ids, search or both');
  if (search === undefined) return contact_ids ?? [];
  const { data, pagination } = await found(context, search);
  const ids = [...new Set([...(contact_ids ?? []), ...data.map(({ id }) => id)])];
  if (pagination.total > MAX_VERIFIED || ids.length > MAX_VERIFIED)
    throw invalid(`search: finds too many contacts; at most ${most} in all`);
  return ids;
}

/** Searches when it is the key's turn, like a request that only searches. The check itself waits for outside servers and takes no turn. */
async function found({ app, caller, limits }: RequestContext, search: string) {
  const over = Promise.withResolvers<void>();
  await limits.heavy(caller, over.promise);
  return searchContacts(app, caller, search, { limit: MAX_VERIFIED, offset: 0 }, campaignSearch).finally(over.resolve);
}

/** The check of addresses before they are emailed. */
export const verificationRouter = router({
  verify: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/contacts/verify',
        tags: ['Contacts'],
        summary: `Check the addresses of up to ${most} contacts`,
        description:
          'Takes `contact_ids`, `search` (a query of the Smart Search language), or both. Asks DNS, and the verifier of the setting `verify_url`, and keeps ' +
          'the verdicts, which `GET /contacts/{id}/details` shows. Contacts that the key cannot see are left out.',
      },
      access: 'write',
      callsOut: true,
    })
    .input(
      z.strictObject({
        contact_ids: z.array(bodyId).min(1, 'must not be empty').max(MAX_VERIFIED, `at most ${most}`).optional(),
        search: searchText.optional(),
      }),
    )
    .output(dataOf(verified))
    .mutation(async ({ ctx, input }) => {
      const dns = nameServers(ctx.app.config.nameServers);
      return { data: await verifyContacts(ctx.app, ctx.caller, await idsOf(ctx, input), dns) };
    }),
});
