import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SUBSCRIBED_TYPES } from '../../src/webhooks/types.ts';

// ARCHITECTURE.md, of a webhook message: "`publish` in the transaction of its cause".

/** Every statement that publishes. Events are published as they are recorded, whatever their type. */
const statements = globSync('src/**/*.ts').flatMap((file) => readFileSync(file, 'utf8').match(/(?<!function )\bpublish\w*\([^;]*;/g) ?? []);

it('every type that a webhook can subscribe to is published somewhere, or it would wait forever', () => {
  const changes = SUBSCRIBED_TYPES.filter((type) => !type.startsWith('event.'));
  expect(changes.length).toBeGreaterThan(10);
  expect(changes.filter((type) => !statements.some((statement) => statement.includes(`'${type}'`)))).toEqual([]);
});
