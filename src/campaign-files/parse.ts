import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseAllDocuments } from 'yaml';
import { type ZodError, z } from 'zod';
import { messageOf } from '../core/errors.ts';
import { nearestName } from '../core/nearest-name.ts';
import { fieldName, issueMessage } from '../fields/issues.ts';
import { type CampaignFile, campaignFile } from './schema.ts';

/**
 * A mistake in a file: its line, from 1, and its field, such as `steps[1].wait`; the field is empty if the mistake concerns the whole
 * document.
 */
export interface FileMistake {
  line: number;
  field: string;
  message: string;
}

/** A campaign of a file, with the positions of its fields. */
export interface ParsedCampaign {
  campaign: CampaignFile;
  /**
   * Returns the line of a field, or that of its parent if it is missing.
   * @param field such as `steps[1].wait`
   */
  lineOf(field: string): number;
}

export interface ParsedFile {
  campaigns: ParsedCampaign[];
  mistakes: FileMistake[];
}

/** Reads the campaigns of a YAML 1.2 text, one per document, with every mistake in them. Throws nothing. */
export function parseCampaigns(text: string): ParsedFile {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const file: ParsedFile = { campaigns: [], mistakes: [] };
  const lineAt = (offset: number) => lines.linePos(offset).line;
  for (const document of 'empty' in documents ? [] : documents) {
    const lineOf = (path: readonly PropertyKey[]) => lineAt(offsetOf(document.contents, path));
    const malformed = document.errors.map(({ pos: [at], message }) => ({ line: lineAt(at), field: '', message }));
    file.mistakes.push(...malformed);
    if (malformed.length > 0 || document.contents === null) continue;
    const read = valuesOf(document);
    if (typeof read === 'string') {
      file.mistakes.push({ line: lineOf([]), field: '', message: read });
      continue;
    }
    const parsed = campaignFile.safeParse(read.values);
    if (parsed.success) file.campaigns.push({ campaign: parsed.data, lineOf: (field) => lineOf(pathOf(field)) });
    else file.mistakes.push(...mistakesOf(parsed.error, read.values, lineOf));
  }
  if (file.campaigns.length + file.mistakes.length === 0)
    file.mistakes.push({ line: 1, field: '', message: 'there is no campaign in this file' });
  return { ...file, mistakes: file.mistakes.sort((one, other) => one.line - other.line) };
}

/** Returns the values of a document, or the reason why it has none: an unknown alias, or too many aliases. */
function valuesOf(document: { contents: unknown; toJS(): unknown }): { values: unknown } | string {
  if (!isMap(document.contents)) return 'this is no campaign, which has keys such as name: Spring fair';
  try {
    return { values: document.toJS() };
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the offset of a field's key or list item, or that of its parent if it is missing. */
function offsetOf(root: ParsedNode | null, path: readonly PropertyKey[]): number {
  let node: Node | null | undefined = root;
  let offset = root?.range[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined) break;
      offset = (pair.key as ParsedNode).range[0];
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as ParsedNode | undefined;
      if (item === undefined) break;
      [offset, node] = [item.range[0], item];
    } else break;
  }
  return offset;
}

/** Parses the path of a field that `fieldName` wrote. */
const pathOf = (field: string): PropertyKey[] =>
  [...field.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part));

function mistakesOf(error: ZodError, values: unknown, lineOf: (path: readonly PropertyKey[]) => number): FileMistake[] {
  const place = (path: readonly PropertyKey[], message: string) => ({ line: lineOf(path), field: fieldName(path), message });
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => place([...issue.path, key], unknownKey(key, keysAt(issue.path))))
      : [place(issue.path, issueMessage(issue, values))],
  );
}

function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  return nearest === undefined ? `unknown key; the keys here are ${known.join(', ')}` : `unknown key; did you mean ${nearest}?`;
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** Returns the keys that an object of the file may have. */
function keysAt(path: readonly PropertyKey[]): string[] {
  let schema: JsonSchema | undefined = z.toJSONSchema(campaignFile, { io: 'input' }) as JsonSchema;
  for (const part of path) {
    const inner: JsonSchema | undefined = typeof part === 'number' ? schema?.items : schema?.properties?.[String(part)];
    schema = inner?.anyOf?.find((option) => option.properties !== undefined) ?? inner;
  }
  return Object.keys(schema?.properties ?? {});
}
