import { z } from 'zod';
import { requireInstallAdmin } from '../../access/index.ts';
import { emailText } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';

const tags = ['Personal data'];
const access = 'admin';
const description = 'For admins of the default workspace.';
const onePerson = z.strictObject({ email: emailText.meta({ description: 'Address of the person', example: 'ada@example.org' }) });

const document = z
  .object({
    email: z.string(),
    exported_at: z.string().meta({ description: 'RFC 3339', example: '2026-01-31T09:15:00.000Z' }),
    workspaces: z.record(z.string(), z.string()).meta({ description: 'Names by id', example: { 1: 'Default' } }),
    data: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .meta({ description: 'Rows by table', example: { contacts: [{ id: 42, email: 'ada@example.org' }] } }),
  })
  .meta({ id: 'PersonExport' });

const erasure = z
  .object({
    erased: z.record(z.string(), z.number().int()).meta({ description: 'Rows by table', example: { contacts: 1, events: 12 } }),
    kept: z.array(z.string()).meta({ description: 'Columns that keep the address, because it is yours', example: [] }),
  })
  .meta({ id: 'Erasure' });

/** The personal data of all workspaces, by address. */
export const personRouter = router({
  export: procedure
    .meta({
      openapi: { method: 'GET', path: '/person', tags, summary: 'Export everything stored about a person', description },
      access,
      isHeavy: true,
      errors: { 404: 'Nothing is stored about this address' },
    })
    .input(onePerson)
    .output(document)
    .query(async ({ ctx: { app, caller }, input }) => {
      requireInstallAdmin(caller);
      const { exportPerson } = await import('../../maintenance/export-person.ts');
      return exportPerson(app, input.email);
    }),

  erase: procedure
    .meta({
      openapi: { method: 'POST', path: '/person/erase', tags, summary: 'Erase a person permanently', description },
      access,
      callsOut: true,
      errors: { 404: 'Nothing is stored about this address', 409: 'An email to this person is being sent; try again later' },
    })
    .input(onePerson)
    .output(erasure)
    .mutation(async ({ ctx: { app, caller }, input, signal }) => {
      requireInstallAdmin(caller);
      const { erasePerson } = await import('../../maintenance/erase-person.ts');
      return erasePerson(app, caller, input.email, signal);
    }),
});
