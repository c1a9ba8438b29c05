import type { Scope } from '../access/index.ts';
import { type Schema, standalone } from './schema.ts';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  /** Parameters that operations share are references. */
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** The parts of the OpenAPI document that are read here. */
export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

/** A procedure of the router, as the API's document describes it. */
export interface Operation {
  /** `campaigns.get`. */
  procedure: string;
  /** `GET /campaigns/{id}`. */
  route: string;
  method: string;
  summary: string;
  description: string;
  /** The scope that its key must have. */
  scope: Scope;
  input: Schema;
  /** Undefined for a procedure without a result. */
  output: Schema | undefined;
}

/** Reads the operations of an OpenAPI document whose operation ids name procedures. Leaves out those that do not take JSON. */
export const operationsOf = ({ paths, components }: ApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (operation.requestBody !== undefined && json(operation.requestBody.content) === undefined) return [];
      const { operationId, summary, description = '', responses } = operation;
      const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
      const output = json(success?.content);
      return {
        procedure: operationId.replaceAll('-', '.'),
        route: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        summary,
        description: description.replace(SCOPE, ''),
        scope: (SCOPE.exec(description)?.[1] ?? 'read') as Scope,
        input: standalone(inputOf(operation, components.parameters), components.schemas),
        output: output && standalone(output, components.schemas),
      };
    }),
  );

/** Matches the scope at the end of a description. Models don't need it, because they are only offered what they may call. */
const SCOPE = / ?Scope: `(\w+)`\.$/;

const json = (content: Record<string, { schema: Schema }> = {}): Schema | undefined => content['application/json']?.schema;

/** Returns the input of the procedure: the parameters of path and query, and the fields of the body. */
function inputOf({ parameters = [], requestBody }: DocumentedOperation, shared: Record<string, Parameter> = {}): Schema {
  const given = parameters
    .map((parameter) => ('$ref' in parameter ? shared[parameter.$ref.split('/').at(-1) ?? ''] : parameter))
    .filter((parameter) => parameter !== undefined && parameter.in !== 'header') as Parameter[];
  const body = json(requestBody?.content);
  const fields = given.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }] as const);
  const required = given.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(fields), ...body?.properties },
    required: [...required, ...(body?.required ?? [])],
    additionalProperties: false,
  };
}
