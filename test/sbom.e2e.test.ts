import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

interface Locked {
  version: string;
  dev?: boolean;
  devOptional?: boolean;
}

/** `npm run sbom` writes a bill of materials of what a server installs, in CycloneDX, from the lock file alone. */
it('lists every production package with its hash and licence, and no other', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const output = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const sbom = JSON.parse(output) as {
    bomFormat: string;
    components: { name: string; version: string; hashes?: object[]; licenses?: object[] }[];
  };
  expect(sbom.bomFormat).toBe('CycloneDX');
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as { packages: Record<string, Locked> };
  const isInstalled = ([path, { dev, devOptional }]: [string, Locked]) => path !== '' && !dev && !devOptional;
  const installed = Object.entries(packages)
    .filter(isInstalled)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  expect(sbom.components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual([...new Set(installed)].sort());
  for (const { name, hashes, licenses } of sbom.components) expect([hashes?.length, licenses?.length], name).toEqual([1, 1]);
});
