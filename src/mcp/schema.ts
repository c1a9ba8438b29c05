/** The part of a JSON Schema that is read here. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  /** A base schema and the fields added to it. */
  allOf?: Schema[];
  default?: unknown;
  maximum?: number;
  additionalProperties?: boolean | Schema;
  /** True for text that somebody outside wrote. */
  'x-untrusted'?: boolean;
  [keyword: string]: unknown;
}

const COMPONENT = '#/components/schemas/';

/**
 * Keywords that a model does not need. Patterns were four of ten characters of all schemas, that of time zones 9,000; the API checks them and
 * explains in words what is wrong.
 */
const DROPPED_KEYWORDS: readonly string[] = ['example', 'examples', 'pattern'];

/**
 * Returns a self-contained schema, with the components of the API's document that it uses, directly or indirectly, in its `$defs`. Leaves out
 * patterns and examples.
 */
export function standalone(schema: Schema, components: Readonly<Record<string, Schema>>): Schema {
  const used = new Map<string, Schema>();
  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, properties, ...rest } = extended(node as Schema, components);
    const kept = Object.entries(rest).filter(([keyword]) => !DROPPED_KEYWORDS.includes(keyword));
    const copied = Object.fromEntries(kept.map(([keyword, value]) => [keyword, copy(value)]));
    // The names of properties are not keywords.
    if (properties !== undefined)
      copied.properties = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, copy(value)]));
    return $ref === undefined ? withOneType(copied) : { ...copied, $ref: use($ref) };
  };
  const use = (ref: string): string => {
    const name = ref.slice(COMPONENT.length);
    if (!used.has(name)) {
      used.set(name, {});
      used.set(name, copy(components[name] ?? {}) as Schema);
    }
    return `#/$defs/${name}`;
  };
  // Clients expect `type: object` at the root, not a reference to a component.
  const root = schema.$ref === undefined ? schema : (components[schema.$ref.slice(COMPONENT.length)] ?? {});
  const copied = copy(root) as Schema;
  return used.size === 0 ? copied : { ...copied, $defs: Object.fromEntries(used) };
}

/** Merges the fields of the schemas that a schema extends into it, so that all its fields are in one place. */
function extended({ allOf = [], ...schema }: Schema, components: Readonly<Record<string, Schema>>): Schema {
  for (const part of allOf) {
    const { properties, required = [] } = extended(
      part.$ref === undefined ? part : (components[part.$ref.slice(COMPONENT.length)] ?? {}),
      components,
    );
    schema = {
      type: 'object',
      ...schema,
      properties: { ...schema.properties, ...properties },
      required: [...(schema.required ?? []), ...required],
    };
  }
  return schema;
}

/** Writes a list of types as alternatives, because some clients don't understand lists of types. */
function withOneType(schema: Schema): Schema {
  const { type, description, default: fallback, 'x-untrusted': untrusted, enum: values, ...rules } = schema;
  if (!Array.isArray(type)) return schema;
  const some = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  const about = { description, default: fallback, 'x-untrusted': untrusted };
  return {
    ...Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined)),
    anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rules, ...some })),
  };
}

/** Returns the schema that a reference to `$defs` names; a schema that is not a reference unchanged. */
export const resolved = (schema: Schema, root: Schema): Schema =>
  schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {});
