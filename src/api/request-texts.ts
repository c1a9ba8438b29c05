import { WITHOUT_NUL } from '../fields/exact-text.ts';
import { schemasUsedBy } from './document-parts.ts';
import type { SchemaObject } from './examples.ts';
import type { Operation } from './operation.ts';

/**
 * Adds to every text of a request in the document that it must not contain NUL, because `checkShape` refuses such texts. Texts with a pattern
 * of their own exclude NUL already.
 */
export function excludeNul(operations: readonly Operation[], schemas: Readonly<Record<string, SchemaObject>>): void {
  const requests = operations.map(({ requestBody, parameters }) => [requestBody, parameters]);
  for (const { requestBody, parameters = [] } of operations) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) exclude(schema);
    for (const parameter of parameters) if ('schema' in parameter) exclude(parameter.schema);
  }
  const used = schemasUsedBy(requests, schemas);
  for (const [name, schema] of Object.entries(schemas)) if (used.has(name)) exclude(schema);
}

/** Excludes NUL from the texts within a schema, but not from those in schemas that it refers to. */
function exclude(schema: SchemaObject): void {
  if (isAnyText(schema)) schema.pattern = WITHOUT_NUL;
  for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : []), ...Object.values(schema.properties ?? {})])
    exclude(inner);
}

const isAnyText = ({ type, enum: values, const: value, pattern, format }: SchemaObject) =>
  [type].flat().includes('string') && values === undefined && value === undefined && pattern === undefined && format === undefined;
