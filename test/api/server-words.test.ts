import type { AnyTRPCRouter } from '@trpc/server';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ERROR_SCHEMA } from '../../src/api/responses.ts';
import { appRouter } from '../../src/api/routers/index.ts';
import type { Schema } from '../support/openapi.ts';

/** Names of fields with an error, a reason or a response. */
const TELLING = /^(?:\w+_)?(?:errors?|responses?|problems?|warnings?|reasons?|notes)$/;
/** Those of them that never quote an outside server. */
const OURS =
  /^(?:imports\.\w+(?:\.data)?\.(?:error|reason)|(?:contactPages\.details\.)?suppressions\.(?:\w+\.)*reason|contacts\.batch\.data\.error|sending\.preview\.warnings|campaignFiles\.applyAll\.results\.notes|calls\.list\.data\.notes)$/;

/** Returns the paths of the text fields of a response, and whether each is marked. */
function textsOf(node: Schema, root: Schema, path: string): [string, boolean][] {
  const schema = node.$ref === undefined ? node : { ...root.$defs[node.$ref.split('/').at(-1)], ...node, $ref: undefined };
  const found: [string, boolean][] = (schema.anyOf ?? schema.allOf ?? []).flatMap((each: Schema) =>
    textsOf({ ...each, 'x-untrusted': each['x-untrusted'] ?? schema['x-untrusted'] }, root, path),
  );
  if (schema.type === 'string' && schema.enum === undefined) found.push([path, schema['x-untrusted'] === true]);
  if (schema.items !== undefined) found.push(...textsOf(schema.items, root, path));
  for (const [name, inner] of Object.entries<Schema>(schema.properties ?? {})) found.push(...textsOf(inner, root, `${path}.${name}`));
  return found;
}

// docs/security.md: what mail servers said is marked wherever it appears in an answer.
it('every field that may hold what an outside server said is marked', () => {
  const unmarked = new Set<string>();
  for (const [name, procedure] of Object.entries<Schema>((appRouter as AnyTRPCRouter)._def.procedures)) {
    const { output } = procedure._def;
    if (output === undefined) continue;
    const schema = z.toJSONSchema(output, { unrepresentable: 'any', reused: 'ref', io: 'output' });
    for (const [path, isMarked] of textsOf(schema, schema, name))
      if (TELLING.test(path.split('.').at(-1) ?? '') && !isMarked) unmarked.add(path);
  }
  expect([...unmarked].filter((path) => !OURS.test(path))).toEqual([]);
});

it('an error says apart what the server said', () => {
  expect(ERROR_SCHEMA.properties.error.properties.server_said).toMatchObject({ type: 'string', 'x-untrusted': true });
});
