import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { Request as ExpressRequest } from 'express';
import { invalid, OutreachError } from '../core/errors.ts';
import { HttpError } from './error-mapping.ts';
import { checkShape } from './input-shape.ts';
import type { RequestContext, UploadMeta } from './trpc.ts';

/** Maximum size, in bytes, of the fields of a form besides the file. */
const FIELDS_BYTES = 256 * 1024;
const MAX_FIELDS = 200;
const NOT_A_FORM = 'the body must be a form with a file, sent as multipart/form-data';

type Parser = InstanceType<typeof Busboy>;

/** The fields of a form. The field of the file has what `upload.store` returned. */
export interface Form {
  fields: Record<string, unknown>;
  /** Deletes the stored file unless the procedure has kept it. */
  discard(): Promise<void>;
}

/**
 * Reads a form of multipart/form-data (RFC 7578). Passes the file on as it arrives. A field that is given twice becomes an array.
 * Throws `invalid_request`, with status 413 for a file that is too large and 415 for another type of body.
 */
export async function readForm(req: ExpressRequest, context: RequestContext, upload: UploadMeta): Promise<Form> {
  const { 'content-type': contentType = '', 'content-length': length } = req.headers;
  const tooLarge = new HttpError(413, `the file is larger than ${upload.maxBytes / 1024 / 1024} MiB`);
  if (Number(length ?? 0) > upload.maxBytes + FIELDS_BYTES) throw tooLarge;
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(contentType)) throw new HttpError(415, NOT_A_FORM);
  const fields: Record<string, unknown> = {};
  let stored: Promise<{ id: number }> | undefined;
  const discard = async () => {
    const file = await stored?.catch(() => undefined);
    if (file !== undefined) await upload.discard(context, file);
  };
  const parser = parserOf(contentType, upload.maxBytes);
  const files: Readable[] = [];
  const refuse = (error: Error) => parser.destroy(error);
  parser.on('field', (name, value, isNameCut, isCut) => {
    if (isNameCut || isCut || name === '__proto__') refuse(invalid('a field of the form is too long'));
    else if (name === upload.field) refuse(invalid(`${name}: must be a file`));
    else fields[name] = Object.hasOwn(fields, name) ? [fields[name], value].flat() : value;
  });
  parser.on('file', (name, content, fileName) => {
    files.push(content.on('error', () => undefined));
    content.once('limit', () => refuse(tooLarge));
    if (name !== upload.field || stored !== undefined) return refuse(invalid(`unknown field "${String(name).slice(0, 100)}"`));
    stored = upload.store(context, fileName ?? '', content);
    stored.catch(refuse);
  });
  parser.on('partsLimit', () => refuse(invalid(`at most ${MAX_FIELDS} fields`)));
  parser.on('fieldsLimit', () => refuse(invalid(`at most ${MAX_FIELDS} fields`)));
  try {
    await received(req, parser);
    checkShape(fields);
    if (stored !== undefined) fields[upload.field] = await stored;
    return { fields, discard };
  } catch (error) {
    // The parser would never end these streams, and their readers would wait.
    for (const file of files) file.destroy(error as Error);
    await discard();
    throw error instanceof OutreachError ? error : invalid('the form could not be read', { cause: error });
  }
}

function parserOf(contentType: string, fileSize: number): Parser {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fileSize,
        fieldSize: FIELDS_BYTES / 4,
        fields: MAX_FIELDS,
        files: 2,
        parts: MAX_FIELDS + 1,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
      isPartAFile: (_name, type, fileName) => fileName !== undefined || type === 'application/octet-stream',
    });
  } catch (error) {
    throw invalid('the form could not be read', { cause: error });
  }
}

/** Resolves when the parser has read the whole request. Rejects as soon as the parser fails, and leaves the rest unread. */
function received(req: ExpressRequest, parser: Parser): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('finish', resolve);
    parser.once('error', (error: unknown) => {
      req.unpipe(parser);
      reject(error);
    });
    const cut = () => {
      if (!req.complete) parser.destroy(new Error('the connection was cut'));
    };
    req.once('close', cut);
    req.once('error', cut);
    req.pipe(parser);
  });
}
