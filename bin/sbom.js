// Prints the bill of materials of what a server installs, as CycloneDX, from package-lock.json alone. `npm sbom --omit=dev` also leaves out
// production packages, such as express, so this requests all and removes those for development.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = ['--package-lock-only', '--include=dev', '--sbom-format=cyclonedx', '--sbom-type=application'];
const printed = execFileSync('npm', ['sbom', ...options], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const sbom = JSON.parse(printed);

const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
const installed = new Set(
  Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
);
const isInstalled = (reference) => installed.has(reference) || reference === sbom.metadata.component['bom-ref'];

sbom.components = sbom.components.filter(({ name, version }) => installed.has(`${name}@${version}`));
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => isInstalled(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isInstalled) }));
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
