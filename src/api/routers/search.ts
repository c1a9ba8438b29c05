import { z } from 'zod';
import { campaignSearch } from '../../campaigns/index.ts';
import { EXPORT_FORMATS, exportContacts } from '../../contacts/export/index.ts';
import { searchContacts } from '../../contacts/search/index.ts';
import { MAX_ID, pageOf, pageQuery, textInteger } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';
import { contactSchema, searchText } from './contact-schema.ts';

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
    .input(z.strictObject({ q: searchText, ...pageQuery }))
    .output(pageOf(contactSchema))
    .query(({ ctx: { app, caller }, input: { q: query, ...page } }) => searchContacts(app, caller, query, page, campaignSearch)),

  export: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/contacts/export',
        tags: ['Contacts'],
        summary: 'Export contacts as CSV or JSON lines',
        description:
          'All of them, by id, as they were at one moment. Archived contacts are left out unless the query asks for them. In CSV, ' +
          'custom fields are columns `cf.<key>`, and a value that a spreadsheet would treat as a formula is prefixed with an apostrophe, ' +
          'which an import removes. A response that is cut short is incomplete.',
      },
      isHeavy: true,
      download: { csv: 'text/csv', ndjson: 'application/x-ndjson' },
    })
    .input(
      z.strictObject({
        format: z.enum(EXPORT_FORMATS).default('csv').meta({ description: 'CSV, or one JSON document per line' }),
        q: searchText.optional(),
        list_id: textInteger({ min: 1, max: MAX_ID }, 'Only contacts on this list').optional(),
      }),
    )
    .output(
      z.custom<AsyncIterable<string>>().meta({
        override: {
          type: 'string',
          example:
            'id,email,name,company,is_archived,is_shared_to_all,created_at,updated_at,cf.favourite_colour\r\n' +
            '4,ada@example.org,Ada Lovelace,Analytical Engines,false,true,2026-01-31 09:15:00,2026-01-31 09:15:00,green\r\n',
        },
      }),
    )
    .query(async ({ ctx: { app, caller, limits }, input: { format, q: search, list_id: listId } }) =>
      limits.download(caller, await exportContacts(app, caller, { format, search, listId }, campaignSearch)),
    ),
});
