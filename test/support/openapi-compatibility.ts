import type { Schema } from './openapi.ts';

/**
 * Extracts the parts of a document that clients rely on: operations, parameters, bodies and responses, without texts, examples and links.
 */
export function contractOf(document: Schema): Schema {
  const { paths, components } = document;
  const errors = (status: string) => Number(status) >= 400;
  const operations = mapped(paths, (methods) =>
    mapped(methods, ({ operationId, parameters, requestBody, responses }) => ({
      operationId,
      parameters: parameters.map(({ name, in: place, required, schema }: Schema) => ({ name, in: place, required, schema })),
      ...(requestBody && {
        requestBody: { required: requestBody.required, content: mapped(requestBody.content, ({ schema }) => ({ schema })) },
      }),
      responses: Object.fromEntries(
        Object.entries<Schema>(responses).map(([status, { content }]) => [
          status,
          errors(status) || content === undefined ? {} : { content: mapped(content, ({ schema }) => ({ schema })) },
        ]),
      ),
    })),
  );
  return plain({ paths: operations, components: { schemas: components.schemas } });
}

const mapped = (of: Schema, change: (value: Schema) => Schema): Schema =>
  Object.fromEntries(Object.entries<Schema>(of).map(([name, value]) => [name, change(value)]));

const TEXTS = new Set(['description', 'example', 'examples', 'title']);

/** Returns the schemas without keywords that don't restrict values. A property may have the name of such a keyword. */
function plain(node: Schema, isMap = false): Schema {
  if (Array.isArray(node)) return node.map((each) => plain(each));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries<Schema>(node).filter(([name]) => isMap || !TEXTS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, plain(value, name === 'properties' && !isMap)]));
}

/** Old requests must stay valid; responses must stay the same. */
type Side = 'request' | 'response';

/** Lists what a client of the old document can no longer do or find with the new one. */
export function breaksBetween(before: Schema, after: Schema): string[] {
  const found: string[] = [];
  const comparison = new Comparison(before.components.schemas, after.components.schemas, found);
  for (const [path, methods] of Object.entries<Schema>(before.paths))
    for (const [method, old] of Object.entries<Schema>(methods)) {
      const now = after.paths[path]?.[method];
      const name = `${method.toUpperCase()} ${path}`;
      if (now === undefined) found.push(`${name}: removed`);
      else comparison.operations(name, old, now);
    }
  return found;
}

class Comparison {
  readonly #before: Schema;
  readonly #after: Schema;
  readonly #found: string[];
  readonly #seen = new Set<string>();

  constructor(before: Schema, after: Schema, found: string[]) {
    this.#before = before;
    this.#after = after;
    this.#found = found;
  }

  operations(name: string, old: Schema, now: Schema): void {
    if (old.operationId !== now.operationId) this.#found.push(`${name}: operationId`);
    const key = (each: Schema) => `${each.in} ${each.name}`;
    const [was, is] = [old, now].map(({ parameters }) => new Map<string, Schema>(parameters.map((each: Schema) => [key(each), each])));
    for (const [place, parameter] of was ?? []) {
      const present = is?.get(place);
      if (present === undefined) this.#found.push(`${name} ${place}: removed`);
      else this.schemas(`${name} ${place}`, parameter.schema, present.schema, 'request');
    }
    for (const [place, { required }] of is ?? [])
      if (required && !was?.get(place)?.required) this.#found.push(`${name} ${place}: required`);
    this.#bodies(`${name} body`, old.requestBody, now.requestBody);
    for (const [status, { content }] of Object.entries<Schema>(old.responses)) {
      const present = now.responses[status];
      if (present === undefined && Number(status) < 400) this.#found.push(`${name} ${status}: removed`);
      for (const [type, { schema }] of Object.entries<Schema>(content ?? {}))
        this.schemas(`${name} ${status}`, schema, present?.content?.[type]?.schema, 'response');
    }
  }

  #bodies(where: string, old: Schema, now: Schema): void {
    if (now?.required && !old?.required) this.#found.push(`${where}: required`);
    for (const [type, { schema }] of Object.entries<Schema>(old?.content ?? {}))
      this.schemas(where, schema, now?.content?.[type]?.schema, 'request');
  }

  schemas(where: string, before: Schema, after: Schema, side: Side): void {
    const key = `${side} ${before?.$ref} ${after?.$ref}`;
    if (before?.$ref && after?.$ref && this.#seen.has(key)) return;
    this.#seen.add(key);
    const [old, now] = [resolved(before, this.#before), resolved(after, this.#after)];
    if (now === undefined) this.#found.push(`${where}: removed`);
    else this.#resolvedSchemas(where, old, now, side);
  }

  #resolvedSchemas(where: string, old: Schema, now: Schema, side: Side): void {
    // A list of types is a short form of alternatives, and what stands beside them holds for each. Null has no rules.
    const alternatives = ({ anyOf, oneOf, type, ...rules }: Schema): Schema[] =>
      (anyOf ?? oneOf ?? [type].flat().map((one: unknown) => ({ type: one }))).map((one: Schema) =>
        one.type === 'null' ? one : { ...one, ...rules },
      );
    if (old.anyOf || now.anyOf) {
      this.#alternatives(where, alternatives(old), alternatives(now), side);
      return;
    }
    if (String(old.type) !== String(now.type) && !(side === 'request' && now.type === undefined)) {
      this.#found.push(`${where}: type`);
      return;
    }
    if (side === 'request') this.#bounds(where, old, now);
    this.#properties(where, old, now, side);
    if (old.items) this.schemas(`${where}[]`, old.items, now.items, side);
  }

  /** For a request, each old alternative must still be accepted. For a response, each new one must have existed before. */
  #alternatives(where: string, old: Schema[], now: Schema[], side: Side): void {
    const [needed, offered] = side === 'request' ? [old, now] : [now, old];
    for (const [index, one] of needed.entries()) {
      const fits = offered.some((other) => {
        const inner: string[] = [];
        const [was, is] = side === 'request' ? [one, other] : [other, one];
        new Comparison(this.#before, this.#after, inner).schemas(where, was, is, side);
        return inner.length === 0;
      });
      if (!fits) this.#found.push(`${where}: alternative ${index + 1}`);
    }
  }

  #bounds(where: string, old: Schema, now: Schema): void {
    const narrowed = (isNarrower: boolean, what: string) => isNarrower && this.#found.push(`${where}: ${what}`);
    for (const name of ['maximum', 'maxLength', 'maxItems']) narrowed(now[name] !== undefined && !(old[name] <= now[name]), name);
    for (const name of ['minimum', 'minLength', 'minItems'])
      narrowed(now[name] !== undefined && !((old[name] ?? Number.NEGATIVE_INFINITY) >= now[name]), name);
    for (const name of ['format', 'const']) narrowed(now[name] !== undefined && old[name] !== now[name], name);
    narrowed(now.pattern !== undefined && unescaped(old.pattern) !== unescaped(now.pattern), 'pattern');
    narrowed(now.enum !== undefined && !(old.enum ?? [Symbol('any')]).every((value: unknown) => now.enum.includes(value)), 'enum');
    narrowed(now.allOf !== undefined && JSON.stringify(old.allOf) !== JSON.stringify(now.allOf), 'allOf');
  }

  #properties(where: string, old: Schema, now: Schema, side: Side): void {
    for (const [name, schema] of Object.entries<Schema>(old.properties ?? {}))
      this.schemas(`${where}.${name}`, schema, now.properties?.[name], side);
    const [lasting, given]: [string[], string[]] =
      side === 'request' ? [now.required ?? [], old.required ?? []] : [old.required ?? [], now.required ?? []];
    for (const name of lasting)
      if (!given.includes(name)) this.#found.push(`${where}.${name}: ${side === 'request' ? 'required' : 'no longer required'}`);
  }
}

/** Returns a pattern with no letter written as its code point. */
const unescaped = (pattern = '') =>
  pattern.replaceAll(/\\u([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

const resolved = (schema: Schema, components: Schema): Schema =>
  schema?.$ref === undefined ? schema : resolved(components[schema.$ref.split('/').at(-1)], components);
