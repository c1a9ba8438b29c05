import type { SchemaObject } from './examples.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string | undefined;
  schema: SchemaObject;
  example?: unknown;
}

/** An operation that can follow another, with the parameters to take from its response (OpenAPI 3.1, Link Object). */
export interface Link {
  operationId: string;
  parameters?: Record<string, string>;
}

type Content = Record<string, { schema: SchemaObject; example?: unknown }>;

/** An operation of the OpenAPI document, with the parts that are completed here. */
export interface Operation {
  description?: string;
  security?: unknown;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description: string; headers?: object; content?: Content; links?: Record<string, Link> }>;
}
