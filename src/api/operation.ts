import type { SchemaObject } from './examples.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string | undefined;
  schema: SchemaObject;
  example?: unknown;
}

type Content = Record<string, { schema: SchemaObject; example?: unknown }>;

/** An operation of the OpenAPI document: the parts that are completed here. */
export interface Operation {
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; description?: string; content: Content };
  responses: Record<string, { description: string; headers?: object; content?: Content; links?: object }>;
}
