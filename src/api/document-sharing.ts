import { isDeepStrictEqual } from 'node:util';
import { placeExamples, type SchemaObject, shownBy } from './examples.ts';
import type { Operation, Parameter } from './operation.ts';

type Schemas = Record<string, SchemaObject>;

/**
 * Says once what many operations of the OpenAPI document have in common, and refers to it from each: parameters, links and examples. A third of
 * the document was repetition, which every client that reads it pays for.
 * @returns the components that are referred to
 */
export function shareRepeated(operations: readonly Operation[], schemas: Schemas) {
  sayExamplesOnce(operations, schemas);
  const contents = operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ content }) => Object.values(content ?? {})));
  const responses = operations.flatMap((operation) => Object.values(operation.responses));
  return {
    parameters: shareParameters(operations),
    links: shareLinks(responses),
    examples: shareExamples(contents),
  };
}

/** Parameters that are equal in several operations, by the names that they are referred to. */
function shareParameters(operations: readonly Operation[]): Record<string, Parameter> {
  const all = operations.flatMap(({ parameters = [] }) => parameters).filter((parameter) => 'name' in parameter);
  const shared = new Repeated(all, 'parameters', nameOf);
  for (const operation of operations) operation.parameters = operation.parameters?.map((parameter) => shared.referenceTo(parameter));
  return shared.components;
}

/** Generators name types after it: `campaign_id` says more than `id`, which differs from one resource to the next. */
function nameOf({ name, in: place, description = '' }: Parameter): string {
  const [, resource] = /^Id of the (.+)$/.exec(description) ?? [];
  return name === 'id' && resource !== undefined ? `${resource.replaceAll(' ', '_')}_id` : `${name}_${place}`;
}

function shareLinks(responses: Operation['responses'][string][]): Record<string, { operationId: string }> {
  const all = responses.flatMap(({ links }) => Object.values(links ?? {}));
  const shared = new Repeated(all, 'links', ({ operationId }) => operationId);
  for (const response of responses)
    if (response.links !== undefined)
      response.links = Object.fromEntries(Object.entries(response.links).map(([name, link]) => [name, shared.referenceTo(link)]));
  return shared.components;
}

function shareExamples(contents: { schema: SchemaObject; example?: unknown; examples?: object }[]): Record<string, { value: unknown }> {
  const all = contents.flatMap(({ schema, example }) => (example === undefined ? [] : [{ schema, value: example }]));
  const shared = new Repeated(all, 'examples', ({ schema }) => schema.$ref?.split('/').at(-1) ?? 'Example');
  for (const content of contents) {
    if (content.example === undefined) continue;
    const reference = shared.referenceTo({ schema: content.schema, value: content.example });
    if (!('$ref' in reference)) continue;
    delete content.example;
    content.examples = { example: reference };
  }
  return Object.fromEntries(Object.entries(shared.components).map(([name, { value }]) => [name, { value }]));
}

/** Things of which those that are equal to another one become a component. */
class Repeated<Thing extends object> {
  readonly components: Record<string, Thing> = {};
  readonly #references = new Map<string, Thing>();

  /** @param nameOf the name of its component, to which a number is added where several differ */
  constructor(things: readonly Thing[], kind: string, nameOf: (thing: Thing) => string) {
    const uses = Map.groupBy(things, (thing) => JSON.stringify(thing));
    for (const [text, [thing, second]] of uses) {
      if (thing === undefined || second === undefined) continue;
      const base = nameOf(thing);
      const name = base in this.components ? `${base}_${this.#references.size}` : base;
      this.components[name] = thing;
      this.#references.set(text, { $ref: `#/components/${kind}/${name}` } as never);
    }
  }

  referenceTo(thing: Thing): Thing {
    return this.#references.get(JSON.stringify(thing)) ?? thing;
  }
}

/**
 * Says each example once: at the fields of schemas, of which tools make the examples of objects and lists, and for a body of a request as a
 * whole, ready to send. A response needs one of its own only where it differs from what its schema shows.
 */
function sayExamplesOnce(operations: readonly Operation[], schemas: Schemas): void {
  for (const schema of Object.values(schemas)) if (schema.properties !== undefined) placeExamples(schema, schemas);
  for (const { requestBody, responses } of operations) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) dropExamples(schema);
    for (const { content = {} } of Object.values(responses))
      for (const media of Object.values(content)) {
        placeExamples(media.schema, schemas);
        if (isDeepStrictEqual(shownBy(media.schema, schemas), media.example)) delete media.example;
      }
  }
}

/** Removes the examples within a schema: a property of an object may have this name too, and stays. */
function dropExamples(schema: SchemaObject): void {
  delete schema.example;
  for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : []), ...Object.values(schema.properties ?? {})])
    dropExamples(inner);
}
