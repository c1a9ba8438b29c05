import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from './openapi.ts';

/** Says what is wrong with a value by a schema of the document; '' if nothing is. */
export type SchemaCheck = (schema: Schema, value: unknown) => string;

/**
 * Checks values by the schemas of an OpenAPI document with these components. Each component is compiled once, under the reference that
 * schemas use for it; if the components were part of every schema, each would compile everything that it refers to again.
 */
export function schemaCheck(components: Schema): SchemaCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  for (const [name, schema] of Object.entries<Schema>(components.schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`);
  return (schema, value) => (ajv.validate(schema, value) ? '' : ajv.errorsText());
}
