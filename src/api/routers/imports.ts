import { z } from 'zod';
import { OUTCOMES, RISKS } from '../../contacts/import/index.ts';
import {
  cancelImport,
  getImport,
  IMPORT_STATUSES,
  listImports,
  listProblems,
  MAX_IMPORT_BYTES,
  startImport,
} from '../../contacts/import-jobs/index.ts';
import { COLUMN_IS_FIELD } from '../../fields/exact-text.ts';
import { nameText, pageOf, pageQuery, pathId, textBoolean, textInteger, timestampText } from '../../fields/fields.ts';
import { discardFile, StoredFile, storeFile } from '../../uploads/files.ts';
import { procedure, type RequestContext, router, type UploadMeta } from '../trpc.ts';

const tags = ['Imports'];
const access = 'write' as const;
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => getImport(app.db, caller, ids.id ?? 0);

const count = z.number().int();

const outcome = z
  .object({
    rows: count.meta({ example: 3 }),
    imported: count.meta({ example: 2 }),
    updated: count.meta({ example: 0, description: 'Contacts that were there and got other values' }),
    existing: count.meta({ example: 1, description: 'Rows with the email of a contact that was there' }),
    duplicates: count.meta({ example: 0, description: 'Rows with the email of an earlier row' }),
    rejected: count.meta({ example: 0, description: 'Rows with an invalid value' }),
    cleaned: count.meta({
      example: 2,
      description: 'Values from which something was removed: mailto:, a name or brackets around an address, line breaks in a name',
    }),
    suppressed: count.meta({ example: 0, description: 'Rows with a suppressed email; they are among the others too' }),
    emailed_before: count.meta({
      example: 0,
      description: 'Rows whose email was that of a deleted contact; the campaigns that emailed it do not do so again',
    }),
    added_to_list: count.meta({ example: 3 }),
    risky_addresses: z
      .array(
        z.object({
          risk: z.enum(RISKS).meta({
            example: 'role',
            description:
              'unread as noreply@, disposable by the domain, role as sales@, or bounced_domain: many addresses of the domain bounced lately',
          }),
          count: count.meta({ example: 2, description: 'Different addresses of the file' }),
          examples: z.array(z.string()).meta({ example: ['info@', 'sales@'], description: 'At most three: mailboxes, or domains' }),
        }),
      )
      .meta({ description: 'Bad or risky by `POST /contacts/verify` without DNS; imported all the same' }),
    list_id: count.nullable(),
    created_fields: z.array(z.string()).meta({ example: [], description: 'Keys of the custom fields that were created' }),
    ignored_columns: z.array(z.string()).meta({ example: ['Shoe size'], description: 'Columns that were not recognised' }),
    encoding: z.string().meta({ example: 'utf-8' }),
    delimiter: z.string().meta({ example: ',' }),
  })
  .meta({ id: 'ImportResult' });

const importJob = z
  .object({
    id: count,
    status: z.enum(IMPORT_STATUSES).meta({ example: 'completed' }),
    file_name: z.string().meta({ example: 'people.csv' }),
    file_size: count.meta({ example: 148, description: 'Bytes' }),
    list: z.string().nullable().meta({ example: 'Spring fair' }),
    map: z.array(z.string()).meta({ example: ['Work mail=email'] }),
    update: z.boolean(),
    create_fields: z.boolean(),
    dry_run: z.boolean(),
    encoding: z.string().nullable().meta({ example: 'utf-8' }),
    delimiter: z.string().nullable().meta({ example: ',' }),
    skip_lines: count.nullable().meta({ example: 3 }),
    bytes_read: count.meta({ example: 148 }),
    rows_read: count.meta({ example: 3 }),
    result: outcome.nullable().meta({ description: 'Null unless completed' }),
    problem_count: count.meta({
      example: 1,
      description: 'As `GET /imports/{id}/problems` lists them',
    }),
    error: z.string().nullable().meta({ example: null, description: 'Why nothing was imported' }),
    created_by: count.nullable().meta({ example: 2 }),
    created_at: timestampText,
    started_at: timestampText.nullable(),
    finished_at: timestampText.nullable(),
  })
  .meta({ id: 'ImportJob' });

const problem = z
  .object({
    line: count.meta({ example: 3, description: 'Line of the file on which the row begins' }),
    email: z.string(),
    outcome: z.enum(OUTCOMES).meta({ example: 'exists' }),
    reason: z.string().meta({ example: 'a contact has this address' }),
  })
  .meta({ id: 'ImportProblem' });

const upload: UploadMeta = {
  field: 'file',
  maxBytes: MAX_IMPORT_BYTES,
  store: ({ app, caller }, fileName, content) => storeFile(app, caller.workspaceId, fileName, content),
  discard: ({ app }, { id }) => discardFile(app.db, id),
};

const mapping = z.string().max(600, 'at most 600 characters').regex(new RegExp(COLUMN_IS_FIELD), 'must be COLUMN=FIELD');

/** The fields of the form besides the file; their values are text. */
const options = {
  list: nameText.optional().meta({ description: 'Adds every contact of the file to this list, which is created if it does not exist' }),
  map: z
    .union([z.array(mapping).max(100, 'at most 100'), mapping.transform((only) => [only])], 'must be COLUMN=FIELD')
    .optional()
    .meta({
      description: 'COLUMN=FIELD, once for each column: imports the column into this field; - ignores it',
      override: {
        type: 'array',
        maxItems: 100,
        items: { type: 'string', maxLength: 600, pattern: COLUMN_IS_FIELD },
        example: ['Work mail=email'],
      },
    }),
  update: textBoolean.default(false).describe('true: contacts that exist get the values of the file; empty cells change nothing'),
  create_fields: textBoolean.default(false).describe('true: a custom field is made of every column that is not recognised'),
  dry_run: textBoolean.default(false).describe('true: nothing is changed; the result is what would be imported'),
  encoding: z.string().min(1).max(40, 'at most 40 characters').optional().meta({ example: 'utf-8', description: 'By default detected' }),
  delimiter: z
    .string()
    .min(1)
    .max(3, 'at most 3 characters')
    .optional()
    .meta({ example: ',', description: 'A character, or tab; else detected' }),
  skip_lines: textInteger({ min: 0, max: 1000 }, 'Lines above the header; detected if it is not given').optional(),
};

export const importsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/imports',
        tags,
        summary: 'List imports',
        description:
          'The newest first. Managers see their own, admins those of the workspace. Imports are deleted 30 days after they ended.',
      },
    })
    .input(z.strictObject({ status: z.enum(IMPORT_STATUSES).describe('Only imports with this status').optional(), ...pageQuery }))
    .output(pageOf(importJob))
    .query(({ ctx: { app, caller }, input: { limit, offset, ...filter } }) => listImports(app.db, caller, filter, { limit, offset })),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/imports',
        tags,
        summary: 'Import contacts from a CSV file',
        description:
          'Imports a file of at most 50 MiB in the background: read the import until it is completed, failed or cancelled. ' +
          'The first line must name the columns; titles and notes above it are skipped. All is imported at once or, if the import fails or ' +
          "is cancelled, nothing. Lines that can't be imported are listed as problems and do not affect the others.",
      },
      access,
      status: 201,
      upload,
      errors: { 409: 'Too many imports of the workspace are waiting or running' },
    })
    .input(
      z.strictObject({
        file: z
          .custom<StoredFile>((value) => value instanceof StoredFile, 'must be a file, sent as multipart/form-data to POST /api/v1/imports')
          .meta({
            override: { type: 'string', format: 'binary', minLength: 1, example: 'email,name\r\nada@example.org,Ada Lovelace\r\n' },
          }),
        ...options,
      }),
    )
    .output(importJob)
    .mutation(
      ({ ctx: { app, caller }, input: { file, list = null, map = [], encoding = null, delimiter = null, skip_lines = null, ...flags } }) =>
        startImport(app, caller, file, { list, map, encoding, delimiter, skip_lines, ...flags }),
    ),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/imports/{id}', tags, summary: 'Read an import' }, target })
    .input(z.strictObject({ id: pathId }))
    .output(importJob)
    .query(({ ctx: { app, caller }, input }) => getImport(app.db, caller, input.id)),

  problems: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/imports/{id}/problems',
        tags,
        summary: 'List the problems of an import',
        description:
          'Lines that did not become a new contact, or whose email is suppressed or was emailed before; once the import is completed.',
      },
      target,
    })
    .input(z.strictObject({ id: pathId, ...pageQuery }))
    .output(pageOf(problem))
    .query(({ ctx: { app, caller }, input: { id, ...page } }) => listProblems(app.db, caller, id, page)),

  cancel: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/imports/{id}/cancel',
        tags,
        summary: 'Cancel an import',
        description: 'Nothing of it is imported. One that was cancelled before is returned as it is.',
      },
      access,
      target,
      errors: { 409: 'The import has been completed or has failed' },
    })
    .input(z.strictObject({ id: pathId }))
    .output(importJob)
    .mutation(({ ctx: { app, caller }, input }) => cancelImport(app, caller, input.id)),
});
