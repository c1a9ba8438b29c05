import { z } from 'zod';
import { campaignSearch } from '../../campaigns/index.ts';
import { searchContacts } from '../../contacts/search/index.ts';
import { pageOf, pageQuery } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';
import { contactSchema } from './contact-schema.ts';

/** Only its type is checked here: the parser checks length and syntax, and its messages say where the mistake is. */
const q = z
  .string('must be a query, for example company:acme')
  .meta({ description: 'A query of the Smart Search language', example: 'company:acme -replied:true created:>30d' });

export const searchRouter = router({
  search: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/contacts/search',
        tags: ['Contacts'],
        summary: 'Search contacts with the Smart Search language',
        description: 'Archived contacts are left out unless the query asks for them. An invalid query returns 400 with the reason.',
      },
      isHeavy: true,
    })
    .input(z.strictObject({ q, ...pageQuery }))
    .output(pageOf(contactSchema))
    .query(({ ctx: { app, caller }, input: { q: query, ...page } }) => searchContacts(app, caller, query, page, campaignSearch)),
});
