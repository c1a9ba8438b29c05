import { appendFileSync, cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Its additional migration, like that of a release: the previous version can continue to write to the changed table. */
const MIGRATION = {
  name: '9001-next',
  up: 'alter table outbox add column next_note text, add column next_rank integer not null default 0; create table next_notes (id integer)',
  down: 'alter table outbox drop column next_note, drop column next_rank; drop table next_notes',
};

/** The version after this one. */
export interface NextVersion {
  version: string;
  /** The name of the migration that it adds. */
  migration: string;
  /** Path of the program. */
  program: string;
}

/** Copies the built program to a folder, as the version after this one. */
export function makeNextVersion(folder: string): NextVersion {
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.compile-cache') && !path.endsWith('.d.ts'),
  });
  cpSync(join(ROOT, 'bin/run.js'), join(folder, 'bin/run.js'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const version = '1000.0.0';
  for (const file of ['package.json', 'oclif.manifest.json'])
    writeFileSync(join(folder, file), JSON.stringify({ ...JSON.parse(readFileSync(join(ROOT, file), 'utf8')), version }));
  writeFileSync(join(folder, 'dist/commit'), '');
  const bundled = globSync(join(folder, 'dist/chunks/migrations-*.js')).find((path) =>
    /^const migrations = /m.test(readFileSync(path, 'utf8')),
  );
  if (bundled === undefined) throw new Error('bin/build.js puts the migrations into no file of their own any more');
  appendFileSync(bundled, `migrations.push(${JSON.stringify(MIGRATION)});\n`);
  return { version, migration: MIGRATION.name, program: join(folder, 'bin/run.js') };
}
