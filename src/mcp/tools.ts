import { isDependent, isInSets, isSending, isTool, toolName, whyConfirm } from './choice.ts';
import { GRAMMAR } from './grammar.ts';
import { type ApiDocument, type Operation, operationsOf } from './operations.ts';
import type { Schema } from './schema.ts';

/** A tool as the protocol lists it, and the operation that it calls. */
export interface Tool {
  name: string;
  operation: Operation;
  description: string;
  input: Schema;
  /** The reason why every call needs `confirm`; undefined if none or only some do. */
  confirm: string | undefined;
  /** True if some calls need it, see `consequenceOf`. */
  mayNeedConfirm: boolean;
  /** True for a tool of the requested sets. */
  isOffered: boolean;
  annotations: { title: string; readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

/** The number of records in a page unless the model requests another. */
export const PAGE_SIZE = 20;

/**
 * Returns the tools for the operations of the API's document, in its order.
 * @param sets names of `TOOL_SETS` whose tools are offered
 */
export function toolsOf(document: ApiDocument, sets: readonly string[] = ['usual']): Tool[] {
  const operations = operationsOf(document).filter(isTool);
  const routes = new Map(operations.map(({ route, procedure }) => [route, toolName(procedure)]));
  return operations.map((operation) => toolOf(operation, routes, sets));
}

function toolOf(operation: Operation, routes: ReadonlyMap<string, string>, sets: readonly string[]): Tool {
  const { procedure, method, summary } = operation;
  const confirm = whyConfirm(operation);
  // Models call tools, not paths.
  const description = `${summary}. ${operation.description}`.replaceAll(/[A-Z]+ \/[\w/{}.-]*\w}?/g, (route) => routes.get(route) ?? route);
  const mayNeedConfirm = isDependent(operation);
  const warning = mayNeedConfirm
    ? 'Needs `confirm: true` if emails change or leave by it; it then says which, and does nothing.'
    : confirm && `Needs \`confirm: true\`, because ${confirm}. Say exactly what will happen, and set it only after the person agreed.`;
  return {
    name: toolName(procedure),
    operation,
    description: [description.trim(), procedure === 'search.search' ? GRAMMAR : '', warning].filter(Boolean).join(' '),
    input: inputOf(operation, mayNeedConfirm || confirm !== undefined),
    confirm,
    mayNeedConfirm,
    isOffered: isInSets(operation, sets),
    annotations: {
      title: summary,
      readOnlyHint: method === 'GET',
      destructiveHint: mayNeedConfirm || confirm !== undefined,
      idempotentHint: method !== 'POST',
      openWorldHint: isSending(operation),
    },
  };
}

function inputOf({ input }: Operation, needsConfirmation: boolean): Schema {
  const properties = { ...input.properties };
  if (properties.limit !== undefined) properties.limit = { ...properties.limit, default: PAGE_SIZE };
  if (needsConfirmation) properties.confirm = { type: 'boolean', description: 'true: the person has agreed to exactly this call' };
  return { ...input, properties };
}
