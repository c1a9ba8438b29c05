import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../core/errors.ts';
import { htmlText } from '../fields/fields.ts';
import { fileProblem } from '../files/file-problem.ts';
import type { FileMistake, ParsedCampaign } from './parse.ts';
import type { DeclaredCampaign, DeclaredStep } from './schema.ts';

interface Content {
  body?: string | undefined;
  text?: string | undefined;
  body_file?: string | undefined;
}

/**
 * Reads the bodies that stand in files of their own: HTML, or paragraphs of plain text in a `.txt` file.
 * @param file the path of the campaign's file, beside which they are
 */
export function readBodies({ campaign, lineOf }: ParsedCampaign, file: string): { campaign: DeclaredCampaign; mistakes: FileMistake[] } {
  const mistakes: FileMistake[] = [];
  const read = <Holder extends Content>(holder: Holder, field: string): Omit<Holder, 'body_file'> => {
    const { body_file: path, ...rest } = holder;
    if (path === undefined) return rest;
    const body = bodyOf(resolve(dirname(file), path));
    if ('problem' in body) mistakes.push({ line: lineOf(`${field}.body_file`), field: `${field}.body_file`, message: body.problem });
    return { ...rest, ...(path.endsWith('.txt') ? { text: textOf(body) } : { body: textOf(body) }) };
  };
  const steps = campaign.steps?.map(
    ({ b, ...step }, index): DeclaredStep => ({
      ...read(step, `steps[${index}]`),
      ...(b === undefined ? {} : { b: read(b, `steps[${index}].b`) }),
    }),
  );
  return { campaign: { ...campaign, steps }, mistakes };
}

type Body = { text: string } | { problem: string };

const textOf = (body: Body): string => ('text' in body ? body.text : '');

function bodyOf(path: string): Body {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    const checked = htmlText.safeParse(text);
    return checked.success ? { text } : { problem: `${path}: ${checked.error.issues[0]?.message ?? ''}` };
  } catch (error) {
    if (error instanceof TypeError) return { problem: `${path} is not UTF-8` };
    return { problem: messageOf(fileProblem(path, 'read', error)) };
  }
}
