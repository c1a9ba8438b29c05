import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { invalid, messageOf } from '../core/errors.ts';
import { htmlText } from '../fields/fields.ts';
import { asUnreadable, fileSize } from '../files/input-file.ts';
import { utf8Text } from '../files/utf8-text.ts';
import { MAX_ATTACHED_BYTES, type NamedFile } from '../uploads/attachments.ts';
import type { FileMistake, ParsedCampaign } from './parse.ts';
import type { DeclaredCampaign, DeclaredStep } from './schema.ts';

interface Content {
  body?: string | undefined;
  text?: string | undefined;
  body_file?: string | undefined;
}

/** A campaign with the text of the files that it names. */
export interface ReadCampaign {
  campaign: DeclaredCampaign;
  mistakes: FileMistake[];
  /** Paths of files to upload, by the SHA-256 with which the campaign names them. */
  attached: ReadonlyMap<string, string>;
}

/**
 * Reads bodies from files of their own, HTML or, in a `.txt` file, paragraphs of plain text, and the hashes of attachments.
 * @param file the path of the campaign's file; the others are beside it
 */
export function readBodies({ campaign, lineOf }: ParsedCampaign, file: string): ReadCampaign {
  const attached = new Map<string, string>();
  const mistakes: FileMistake[] = [];
  const read = <Holder extends Content>(holder: Holder, field: string): Omit<Holder, 'body_file'> => {
    const { body_file: path, ...rest } = holder;
    if (path === undefined) return rest;
    const body = bodyOf(file, resolve(dirname(file), path));
    if ('problem' in body) mistakes.push({ line: lineOf(`${field}.body_file`), field: `${field}.body_file`, message: body.problem });
    return { ...rest, ...(path.endsWith('.txt') ? { text: textOf(body) } : { body: textOf(body) }) };
  };
  const hashed = (one: string | NamedFile, field: string): NamedFile => {
    if (typeof one !== 'string') return one;
    const path = resolve(dirname(file), one);
    const { sha256, problem } = hashOf(file, path);
    if (problem !== undefined) mistakes.push({ line: lineOf(field), field, message: problem });
    attached.set(sha256, path);
    return { name: basename(path), sha256 };
  };
  const steps = campaign.steps?.map(
    ({ b, attachments, ...step }, index): DeclaredStep => ({
      ...read(step, `steps[${index}]`),
      ...(attachments === undefined
        ? {}
        : { attachments: attachments.map((one, place) => hashed(one, `steps[${index}].attachments[${place}]`)) }),
      ...(b === undefined ? {} : { b: read(b, `steps[${index}].b`) }),
    }),
  );
  return { campaign: { ...campaign, steps }, mistakes, attached };
}

/**
 * Throws `invalid_request` for a path outside the folder of the campaign's file, also through a link. Otherwise a person who may change the
 * file could send any file of the machine that applies it.
 */
function requireBeside(file: string, path: string): void {
  const way = relative(dirname(realpathSync(file)), realpathSync(path));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw invalid(`${path} is not in the folder of ${file}`);
}

function hashOf(file: string, path: string): { sha256: string; problem?: string } {
  try {
    requireBeside(file, path);
    if (fileSize(path) > MAX_ATTACHED_BYTES) return { sha256: '', problem: `${path} is larger than 15 MiB` };
    return { sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
  } catch (error) {
    return { sha256: '', problem: messageOf(error) };
  }
}

type Body = { text: string } | { problem: string };

const textOf = (body: Body): string => ('text' in body ? body.text : '');

function bodyOf(file: string, path: string): Body {
  try {
    requireBeside(file, path);
    const text = utf8Text(readFileSync(path), path);
    const checked = htmlText.safeParse(text);
    return checked.success ? { text } : { problem: `${path}: ${checked.error.issues[0]?.message ?? ''}` };
  } catch (error) {
    return { problem: messageOf(asUnreadable(path, error)) };
  }
}
