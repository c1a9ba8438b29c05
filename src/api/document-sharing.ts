import { isDeepStrictEqual } from 'node:util';
import { placeExamples, type SchemaObject } from './examples.ts';
import type { Operation, Parameter } from './operation.ts';

type Schemas = Record<string, SchemaObject>;

/**
 * Moves repeated parts of the OpenAPI document to components and refers to them: parameters, links, examples, and the fields of a record in
 * schemas that extend it. Without this the document has 380 KB instead of 295, and every reader, such as a model, pays for each byte.
 * @returns the shared parameters and links
 */
export function shareRepeated(operations: readonly Operation[], schemas: Schemas) {
  dedupeExamples(operations, schemas);
  extendSchemas(schemas);
  const responses = operations.flatMap((operation) => Object.values(operation.responses));
  return {
    parameters: shareParameters(operations),
    links: shareLinks(responses),
  };
}

/** Moves parameters that are equal in several operations to components, and returns these by name. */
function shareParameters(operations: readonly Operation[]): Record<string, Parameter> {
  const all = operations.flatMap(({ parameters = [] }) => parameters).filter((parameter) => 'name' in parameter);
  const shared = new Repeated(all, 'parameters', namesOf);
  for (const operation of operations) operation.parameters = operation.parameters?.map((parameter) => shared.referenceTo(parameter));
  return shared.components;
}

/** Returns names for a shared parameter. Generators name types after it: `campaign_id` says more than `id`, which differs by resource. */
function namesOf({ name, in: place, description = '' }: Parameter): string[] {
  const [, resource] = /^Id of the (.+)$/.exec(description) ?? [];
  const base = name === 'id' && resource !== undefined ? `${resource.replaceAll(' ', '_')}_id` : name;
  return [base, `${base}_${place}`];
}

function shareLinks(responses: Operation['responses'][string][]): Record<string, { operationId: string }> {
  const all = responses.flatMap(({ links }) => Object.values(links ?? {}));
  const shared = new Repeated(all, 'links', ({ operationId }) => [operationId]);
  for (const response of responses)
    if (response.links !== undefined)
      response.links = Object.fromEntries(Object.entries(response.links).map(([name, link]) => [name, shared.referenceTo(link)]));
  return shared.components;
}

/** Finds equal things and makes one component of them. */
class Repeated<Thing extends object> {
  readonly components: Record<string, Thing> = {};
  readonly #references = new Map<string, Thing>();

  /** @param namesOf names for the component of a thing, which gets the first unused one; if all are used, the last with a number */
  constructor(things: readonly Thing[], kind: string, namesOf: (thing: Thing) => string[]) {
    const uses = Map.groupBy(things, (thing) => JSON.stringify(thing));
    for (const [text, [thing, second]] of uses) {
      if (thing === undefined || second === undefined) continue;
      const names = namesOf(thing);
      const name = names.find((free) => !(free in this.components)) ?? `${names.at(-1)}_${this.#references.size}`;
      this.components[name] = thing;
      this.#references.set(text, { $ref: `#/components/${kind}/${name}` } as never);
    }
  }

  referenceTo(thing: Thing): Thing {
    return this.#references.get(JSON.stringify(thing)) ?? thing;
  }
}

/** Minimum size, in bytes, of the fields that a schema takes from another by reference. Smaller overlaps are chance: an id and a name. */
const MIN_EXTENDED_BYTES = 500;

/**
 * Replaces the fields that a schema shares with a smaller one by a reference: `AccountOverview` has all fields of `Account`, and more. A schema
 * that forbids other fields can't be extended.
 */
function extendSchemas(schemas: Schemas): void {
  const sizes = new Map(Object.entries(schemas).map(([name, { properties }]) => [name, JSON.stringify(properties ?? {}).length]));
  const isExtendable = ({ properties, additionalProperties }: SchemaObject) =>
    properties !== undefined && additionalProperties === undefined;
  const largestFirst = Object.entries(schemas)
    .filter(([name, schema]) => isExtendable(schema) && (sizes.get(name) ?? 0) >= MIN_EXTENDED_BYTES)
    .toSorted(([one], [other]) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
  for (const [index, [name, schema]] of largestFirst.entries()) {
    const base = largestFirst.slice(index + 1).find(([, smaller]) => extendsSchema(schema, smaller));
    if (base !== undefined) schemas[name] = extension(schema, base);
  }
}

function extendsSchema({ properties = {}, required = [] }: SchemaObject, smaller: SchemaObject): boolean {
  const fields = Object.entries(smaller.properties ?? {});
  return (
    fields.length < Object.keys(properties).length &&
    fields.every(([name, field]) => isDeepStrictEqual(properties[name], field)) &&
    fields.every(([name]) => required.includes(name) === smaller.required?.includes(name))
  );
}

function extension({ type, properties = {}, required = [], ...about }: SchemaObject, [name, base]: [string, SchemaObject]): SchemaObject {
  const isOwn = (field: string) => !Object.hasOwn(base.properties ?? {}, field);
  const own = Object.fromEntries(Object.entries(properties).filter(([field]) => isOwn(field)));
  return {
    ...about,
    allOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'object', properties: own, required: required.filter(isOwn) }],
  };
}

/**
 * Gives each example once: at the fields of schemas, from which tools build the examples of objects and lists, and for request bodies as a
 * whole, ready to send.
 */
function dedupeExamples(operations: readonly Operation[], schemas: Schemas): void {
  for (const schema of Object.values(schemas)) if (schema.properties !== undefined) placeExamples(schema, schemas);
  for (const { requestBody, responses } of operations) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) dropExamples(schema);
    for (const { content = {} } of Object.values(responses))
      for (const { schema } of Object.values(content)) placeExamples(schema, schemas);
  }
}

/** Removes the examples within a schema. A property that is itself named `example` stays. */
function dropExamples(schema: SchemaObject): void {
  delete schema.example;
  for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : []), ...Object.values(schema.properties ?? {})])
    dropExamples(inner);
}
