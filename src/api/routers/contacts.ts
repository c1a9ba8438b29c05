import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { getContact, listContacts } from '../../contacts/index.ts';
import {
  archivedQuery,
  bodyId,
  dataOf,
  emailText,
  instantText,
  pageOf,
  pageQuery,
  pathId,
  singleLine,
  textBoolean,
  textInteger,
  trueOrFalse,
} from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { contactSchema } from './contact-schema.ts';

const changes = () => import('./contact-changes.ts');
const creation = () => import('./contact-creation.ts');
const tags = ['Contacts'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'contacts', ids.id ?? 0);
const readOnly = ['id', 'is_archived', 'created_at', 'updated_at'];

const name = singleLine(255, { isTrimmedFirst: true }).meta({ example: 'Ada Lovelace' });
const email = emailText.meta({ example: 'ada@example.org' });
const company = singleLine(255, { isTrimmedFirst: true }).nullable().meta({ example: 'Analytical Engines' });
const customFields = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Values by custom-field key', example: { favourite_colour: 'green' } });

/** The fields of a contact besides its email, as requests to create one have them. */
const given = {
  name: name.optional(),
  company: company.optional(),
  custom_fields: customFields.optional(),
  list_ids: z.array(bodyId).max(100, 'at most 100').optional(),
  is_shared_to_all: trueOrFalse.optional(),
};

const written = z
  .object({
    email: z.string(),
    status: z.enum(['created', 'updated', 'unchanged', 'conflict', 'invalid']),
    id: z.number().int().nullable().meta({ description: 'The contact with this email; null where the key can see none' }),
    error: z.string().nullable().meta({ example: null, description: 'Why nothing was written' }),
  })
  .meta({ id: 'WrittenContact' });

export const contactsRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/contacts', tags, summary: 'List contacts' } })
    .input(
      z.strictObject({
        q: z
          .string()
          .normalize('NFC')
          .max(255, 'at most 255 characters')
          .meta({ description: 'Text that name, email or company contains' })
          .optional(),
        list_id: textInteger({ min: 1, max: 2_147_483_647 }, 'Only contacts on this list').optional(),
        email: emailText.meta({ description: 'Only the contact with this address', example: 'ada@example.org' }).optional(),
        updated_since: instantText.meta({ description: 'Only contacts that were changed at this time or later' }).optional(),
        archived: archivedQuery,
        ...pageQuery,
      }),
    )
    .output(pageOf(contactSchema))
    .query(({ ctx: { app, caller }, input: { limit, offset, ...filter } }) => listContacts(app.db, caller, filter, { limit, offset })),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/contacts',
        tags,
        summary: 'Create a contact',
        description: 'An email is taken even if the key cannot see the contact that has it.',
      },
      access: 'write',
      status: 201,
      readOnly,
      errors: { 409: 'Another contact has this email' },
    })
    .input(
      z.strictObject({
        email,
        ...given,
      }),
    )
    .output(contactSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await creation()).createContact(app, caller, input)),

  batch: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/contacts/batch',
        tags,
        summary: 'Create or change up to 1,000 contacts',
        description:
          'Answers the outcome of each contact, in their order; a failed one does not affect the others. With `update`, a contact ' +
          'that exists is changed: given fields replace the stored ones, custom fields key by key, and it joins the lists.',
      },
      access: 'write',
      rows: 'contacts',
      readOnly,
    })
    .input(
      z.strictObject({
        contacts: z
          .array(z.strictObject({ email, ...given }))
          .min(1, 'must not be empty')
          .max(1_000, 'at most 1,000')
          .meta({ example: [{ email: 'ada@example.org', name: 'Ada Lovelace' }] }),
        update: trueOrFalse.default(false),
      }),
    )
    .output(dataOf(written))
    .mutation(async ({ ctx: { app, caller }, input }) => ({
      data: await (await creation()).writeContacts(app, caller, input.contacts, input.update),
    })),

  put: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/contacts/by-email/{email}',
        tags,
        summary: 'Create or change the contact with an email',
        description:
          'Given fields replace the stored ones, custom fields key by key, and the contact joins the lists. `is_shared_to_all` counts ' +
          'for a new contact alone. Another `email` in the body is refused.',
      },
      access: 'write',
      status: 201,
      otherStatus: 200,
      readOnly,
      errors: { 409: "A contact that the key can't see has this email" },
    })
    .input(z.strictObject({ email: email.describe('Email of the contact'), ...given }))
    .output(contactSchema)
    .mutation(async ({ ctx, input }) => {
      const { contact, isNew } = await (await creation()).putContact(ctx.app, ctx.caller, input);
      ctx.status = isNew ? 201 : 200;
      return contact;
    }),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/contacts/{id}', tags, summary: 'Read a contact' }, target })
    .input(z.strictObject({ id: pathId }))
    .output(contactSchema)
    .query(({ ctx: { app, caller }, input }) => getContact(app.db, caller, input.id)),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/contacts/{id}',
        tags,
        summary: 'Change a contact',
        description:
          '`custom_fields` replaces the whole object, unless `merge=true`. Only its creator and admins may set `is_shared_to_all`; others get 404.',
      },
      access: 'write',
      readOnly,
      query: ['merge'],
      target,
      errors: { 409: 'Another contact has this email' },
    })
    .input(
      z.strictObject({
        id: pathId,
        name: name.optional(),
        email: email.optional(),
        company: company.optional(),
        custom_fields: customFields.optional(),
        is_shared_to_all: trueOrFalse.optional(),
        merge: textBoolean.describe('true: only the named custom fields change; null removes a value').optional(),
      }),
    )
    .output(contactSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...patch } }) => (await changes()).changeContact(app, caller, id, patch)),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/contacts/{id}',
        tags,
        summary: 'Delete a contact',
        description: 'Stops the active enrolments of the contact. An admin can restore it.',
      },
      access: 'write',
      status: 204,
      target,
    })
    .input(z.strictObject({ id: pathId }))
    .output(z.void())
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).deleteContact(app, caller, input.id)),

  archive: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/contacts/{id}/archive',
        tags,
        summary: 'Archive a contact',
        description: 'Stops the active enrolments of the contact; unarchiving does not resume them.',
      },
      access: 'write',
      target,
    })
    .input(z.strictObject({ id: pathId }))
    .output(contactSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).archiveContact(app, caller, input.id)),

  unarchive: procedure
    .meta({
      openapi: { method: 'POST', path: '/contacts/{id}/unarchive', tags, summary: 'Unarchive a contact' },
      access: 'write',
      target,
    })
    .input(z.strictObject({ id: pathId }))
    .output(contactSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).unarchiveContact(app, caller, input.id)),

  merge: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/contacts/{id}/merge',
        tags,
        summary: 'Merge another contact of the same mailbox into a contact',
        description:
          'The contact gets the lists, campaigns, emails, replies and events of the other one, and the fields that it lacks; the other one is ' +
          'deleted. In a campaign that has both, the contact continues only if the other one has not ended and was not sent more. It cannot be undone.',
      },
      access: 'write',
      target,
      errors: { 409: 'Both are one contact, or it is shared with everyone and the other one is private' },
    })
    .input(z.strictObject({ id: pathId, contact_id: bodyId.describe('The contact that is merged into this one, and deleted') }))
    .output(contactSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).mergeContacts(app, caller, input.id, input.contact_id)),
});
