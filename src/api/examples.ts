import { isDeepStrictEqual } from 'node:util';
import { INSTANT } from '../fields/exact-text.ts';

/** A JSON Schema, with the keywords that are needed to build an example. */
export interface SchemaObject {
  $ref?: string;
  type?: string | string[];
  anyOf?: SchemaObject[];
  allOf?: SchemaObject[];
  items?: SchemaObject;
  properties?: Record<string, SchemaObject>;
  required?: string[];
  additionalProperties?: unknown;
  propertyNames?: unknown;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  /** Empty for a field that the example of its object leaves out in favour of another field. */
  examples?: unknown[];
  description?: string;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** Example values by field name, used where the schema has none, so that all examples of the document fit together. */
const BY_NAME: Record<string, unknown> = {
  id: 7,
  user_id: 2,
  api_key_id: 5,
  account_id: 3,
  campaign_id: 7,
  step_id: 11,
  contact_id: 42,
  list_id: 6,
  event_id: 991,
  webhook_id: 4,
  delivery_id: 318,
  granted_by: 1,
  contact_ids: [42, 43],
  list_ids: [6],
  account_ids: [3, 4],
  account_status: 'active',
  campaign_ids: [7],
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  company: 'Analytical Engines',
  custom_fields: { favourite_colour: 'green' },
  campaign_name: 'Spring outreach',
  account_email: 'zoe@example.com',
  reply_to: 'zoe@example.com',
  reply_to_connected: true,
  timezone: 'Europe/Berlin',
  is_shared_to_all: true,
  is_enabled: true,
  sending_days: [1, 2, 3, 4, 5],
  sending_hour_start: 9,
  sending_hour_end: 17,
  sending_hour_start_b: null,
  sending_hour_end_b: null,
  ab_split_percent: 50,
  starts_at: null,
  step_count: 3,
  contact_count: 120,
  subject: 'A question, {{name}}',
  body_html: '<p>Hello {{name}}, …</p>',
  subject_b: null,
  body_html_b: null,
  wait_days: 3,
  pause_reason: null,
  pause_message: null,
  disabled_reason: null,
  response_status: 204,
  response: null,
  error: null,
  duration_ms: 87,
  last_failure_at: null,
  consecutive_failures: 0,
  next_attempt_at: null,
  types: ['event.replied'],
  secret: 'whsec_EXAMPLE',
  q: 'acme',
  is_default: true,
  total: 1,
  limit: 50,
  offset: 0,
  contacts: 120,
  steps: 3,
  sent: 230,
  opened: 96,
  clicked: 31,
  replied: 14,
  bounced: 2,
  failed: 1,
  enrolled: 2,
  added: 2,
  queued: 12,
  since: '2026-01-31T09:00:00Z',
  until: '2026-02-14T08:00:00Z',
};

type Components = Readonly<Record<string, SchemaObject>>;

const referred = ({ $ref }: SchemaObject, components: Components): SchemaObject => components[$ref?.split('/').at(-1) ?? ''] ?? {};

/** True for a field with an example by name. An object, or a reference to one, gets its example from its fields instead. */
const isNamed = ({ properties, $ref }: SchemaObject, name: string) =>
  properties === undefined && $ref === undefined && Object.hasOwn(BY_NAME, name);

/** Builds an example of a schema: its own, else the one for its name, else its default, else the smallest valid value. */
export function exampleOf(schema: SchemaObject, components: Components, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) return exampleOf(referred(schema, components), components, name);
  if (schema.enum !== undefined) return isNamed(schema, name) ? BY_NAME[name] : schema.enum[0];
  if (isNamed(schema, name)) return BY_NAME[name];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0], components, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return [exampleOf(schema.items ?? {}, components)];
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(([, inner]) => inner.examples?.length !== 0);
    return Object.fromEntries(fields.map(([field, inner]) => [field, exampleOf(inner, components, field)]));
  }
  if (type === 'integer') return Math.max(schema.minimum ?? 1, 1);
  if (schema.pattern === INSTANT) return '2026-01-31T09:00:00Z';
  return type === 'boolean' ? false : '';
}

/** Returns the example that tools build from a schema by themselves; undefined if there is none. */
export function shownBy(schema: SchemaObject, components: Components): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) return shownBy(referred(schema, components), components);
  const value = schema.const ?? schema.default ?? schema.enum?.[0];
  if (value !== undefined) return value;
  if (schema.anyOf?.[0] !== undefined) return shownBy(schema.anyOf[0], components);
  if (schema.items !== undefined) return [shownBy(schema.items, components)];
  return (
    schema.properties && Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, shownBy(field, components)]))
  );
}

/** Adds the examples of `exampleOf` to the fields of a schema where tools would not show them by themselves. */
export function placeExamples(schema: SchemaObject, components: Components, name = ''): void {
  const example = exampleOf(schema, components, name);
  const isMadeOfParts = schema.example === undefined && !isNamed(schema, name);
  if (isMadeOfParts) {
    if (schema.items !== undefined) placeExamples(schema.items, components);
    if (schema.anyOf?.[0] !== undefined) placeExamples(schema.anyOf[0], components, name);
    for (const [field, inner] of Object.entries(schema.properties ?? {})) placeExamples(inner, components, field);
    const named = referred(schema, components);
    if (named.properties !== undefined) placeExamples(named, components);
  }
  if (!isDeepStrictEqual(shownBy(schema, components), example)) schema.example = example;
}

/** Replaces the values of an example's fields with those of `other`, for the fields that both have. */
export function overlaid(example: unknown, other: unknown): unknown {
  if (!isRecord(example) || !isRecord(other)) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, Object.hasOwn(other, name) ? other[name] : value]));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
