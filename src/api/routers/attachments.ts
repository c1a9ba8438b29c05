import { z } from 'zod';
import { attachFile, detachFile, getStep, listAttachments } from '../../campaigns/index.ts';
import { dataOf, filledLine, pathId, sha256Text } from '../../fields/fields.ts';
import { MAX_ATTACHED_BYTES } from '../../uploads/attachments.ts';
import { discardFile, StoredFile } from '../../uploads/files.ts';
import { keepFile, receiveFile } from '../../uploads/receive.ts';
import { procedure, type RequestContext, router, type UploadMeta } from '../trpc.ts';

const tags = ['Steps'];
const access = 'write' as const;
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => getStep(app.db, caller, ids.id ?? 0, ids.step_id ?? 0);

const name = z.string().meta({ example: 'prices.pdf' });
const size = z.number().int().meta({ example: 48_211, description: 'Bytes' });
const uploaded = z.object({ name, size, sha256: sha256Text }).meta({ id: 'UploadedFile' });
const attachment = z.object({ id: z.number().int(), name, size, sha256: sha256Text }).meta({ id: 'Attachment' });

const upload: UploadMeta = {
  field: 'file',
  maxBytes: MAX_ATTACHED_BYTES,
  store: ({ app, caller }, fileName, content) => receiveFile(app, caller, fileName, content),
  discard: ({ app }, { id }) => discardFile(app.db, id),
};

const step = { id: pathId, step_id: pathId };

export const attachmentsRouter = router({
  upload: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/attachments',
        tags,
        summary: 'Upload a file to attach to steps and answers',
        description:
          'Takes a form of multipart/form-data with the file, of at most 15 MiB. Then name it by its SHA-256 in a step or an answer; a file that ' +
          'nothing uses is deleted after an hour. Programs and scripts are refused, whatever their name; archives are not looked into.',
      },
      access,
      status: 201,
      upload,
    })
    .input(
      z.strictObject({
        file: z
          .custom<StoredFile>(
            (value) => value instanceof StoredFile,
            'must be a file, sent as multipart/form-data to POST /api/v1/attachments',
          )
          .meta({ override: { type: 'string', format: 'binary', minLength: 1, example: 'Prices of 2027' } }),
      }),
    )
    .output(uploaded)
    .mutation(async ({ ctx: { app, caller }, input: { file } }) => {
      await keepFile(app, caller, file);
      return file.toJSON();
    }),

  list: procedure
    .meta({
      openapi: { method: 'GET', path: '/campaigns/{id}/steps/{step_id}/attachments', tags, summary: 'List the attachments of a step' },
      target,
    })
    .input(z.strictObject(step))
    .output(dataOf(attachment))
    .query(async ({ ctx: { app, caller }, input }) => ({ data: await listAttachments(app.db, caller, input.id, input.step_id) })),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/steps/{step_id}/attachments',
        tags,
        summary: 'Attach an uploaded file to a step',
        description:
          'Every email of the step has it from now on, in both A/B groups. A step has at most 10 attachments, of 15 MiB in all. In a rotation ' +
          'group it applies to all campaigns.',
      },
      access,
      status: 201,
      target,
      errors: { 409: 'The step has an attachment of this name, or this file' },
    })
    .input(
      z.strictObject({
        ...step,
        sha256: sha256Text,
        name: filledLine(200).meta({ description: 'The name of the file in the email', example: 'prices.pdf' }),
      }),
    )
    .output(attachment)
    .mutation(({ ctx: { app, caller }, input: { id, step_id, ...file } }) => attachFile(app, caller, id, step_id, file)),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/campaigns/{id}/steps/{step_id}/attachments/{attachment_id}',
        tags,
        summary: 'Remove an attachment from a step',
        description: 'In a rotation group it applies to all campaigns.',
      },
      access,
      status: 204,
      target,
    })
    .input(z.strictObject({ ...step, attachment_id: pathId }))
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => detachFile(app, caller, input.id, input.step_id, input.attachment_id)),
});
