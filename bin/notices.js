// Collects the licences of the bundled libraries, which must accompany every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Returns name, version and licence text of every package that contains one of these modules. */
export function noticesOf(modulePaths) {
  const folders = new Set(modulePaths.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
  return [...folders]
    .sort()
    .map(notice)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file) && !/\.[cm]?[jt]s$/.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`;
}
