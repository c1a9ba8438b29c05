import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The version of the program, with the commit that it was built from unless that is the one of a release: `1.0.0+3d5305c5`, build metadata of
 * SemVer 2.0.0 §10.
 * @param root the folder of the package
 */
export function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const commit = join(root, 'dist/commit');
  const build = existsSync(commit) ? readFileSync(commit, 'utf8').trim() : '';
  return build === '' ? version : `${version}+${build}`;
}
