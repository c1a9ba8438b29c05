// Writes DEBIAN/, which dpkg reads (deb-control(5), deb-conffiles(5), Debian Policy §5 and §6).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** The libraries that Node and the embedded server are linked to. Both were built on systems with this C library. */
const DEPENDS = ['libc6 (>= 2.28)', 'libgcc-s1', 'libstdc++6', 'passwd'];

/** Writes the control files of a staged package. @returns the name of the package's file */
export function controlFiles(root, stage) {
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`there is no Debian package for ${process.arch}`);
  // A prerelease comes before its release.
  const debianVersion = version.replace('-', '~');
  const folder = join(stage, 'DEBIAN');
  mkdirSync(folder, { mode: 0o755 });
  const files = filesOf(stage);
  writeFileSync(join(folder, 'control'), control(debianVersion, architecture, description, sizeOf(files, stage)));
  writeFileSync(join(folder, 'conffiles'), '/etc/outreach/outreach.toml\n');
  writeFileSync(join(folder, 'md5sums'), files.map((path) => `${md5(join(stage, path))}  ${path}\n`).join(''));
  for (const script of ['postinst', 'prerm', 'postrm'])
    writeFileSync(join(folder, script), readFileSync(join(import.meta.dirname, 'scripts', script)), { mode: 0o755 });
  return { name: `outreach_${debianVersion}_${architecture}.deb` };
}

function control(version, architecture, description, kilobytes) {
  const { DEBFULLNAME = 'Outreach', DEBEMAIL = 'root@localhost' } = process.env;
  return `Package: outreach
Version: ${version}
Architecture: ${architecture}
Maintainer: ${DEBFULLNAME} <${DEBEMAIL}>
Installed-Size: ${kilobytes}
Depends: ${DEPENDS.join(', ')}
Suggests: postgresql, nginx | caddy
Section: mail
Priority: optional
Description: ${description[0].toLowerCase()}${description.slice(1)}
 Outreach never sends an email twice, stops a contact's sequence when they reply,
 and explains in plain words why a campaign is not sending.
 .
 The package contains Node and a PostgreSQL server, which runs in the data
 directory unless the settings name another.
`;
}

const filesOf = (stage) => execFileSync('find', ['etc', 'usr', '-type', 'f'], { cwd: stage, encoding: 'utf8' }).trim().split('\n').sort();

const sizeOf = (files, stage) => files.reduce((sum, path) => sum + Math.ceil(lstatSync(join(stage, path)).size / 1024), 0);

const md5 = (path) => createHash('md5').update(readFileSync(path)).digest('hex');
