import { schemasUsedBy } from './document-parts.ts';
import type { SchemaObject } from './examples.ts';
import type { Operation } from './operation.ts';

/**
 * Lets the objects of responses have fields that the document does not name. Later releases may add fields, and a generated client that refuses
 * unknown ones would break. Requests with unknown fields are refused, and their schemas say so.
 */
export function openResponses(operations: readonly Operation[], schemas: Readonly<Record<string, SchemaObject>>): void {
  const requests = operations.map(({ requestBody, parameters }) => [requestBody, parameters]);
  const ofRequests = schemasUsedBy(requests, schemas);
  for (const { responses } of operations)
    for (const { content = {} } of Object.values(responses)) for (const { schema } of Object.values(content)) open(schema);
  for (const [name, schema] of Object.entries(schemas)) if (!ofRequests.has(name)) open(schema);
}

/** Opens the objects within a schema, but not those in schemas that it refers to. */
function open(schema: SchemaObject): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : []), ...Object.values(schema.properties ?? {})])
    open(inner);
}
