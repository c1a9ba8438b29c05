import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBodies } from '../../src/campaign-files/body-files.ts';
import { attachmentName } from '../../src/uploads/names.ts';
import { afterFile } from '../support/after-file.ts';

const root = mkdtempSync(join(tmpdir(), 'outreach-beside-'));
afterFile(() => rmSync(root, { recursive: true, force: true }));
const file = join(root, 'campaigns', 'spring.yaml');
mkdirSync(join(root, 'campaigns', 'texts'), { recursive: true });
writeFileSync(file, '');
writeFileSync(join(root, 'secret.txt'), 'secret');
writeFileSync(join(root, 'campaigns', 'texts', 'own.txt'), 'own');
symlinkSync(join(root, 'secret.txt'), join(root, 'campaigns', 'link.txt'));

const read = (path: string) =>
  readBodies({ campaign: { name: 'q', steps: [{ subject: 's', body_file: path, attachments: [path] }] }, lineOf: () => 1 } as never, file);

// docs/campaign-files.md: "a path beside the file".
it.each([
  '../secret.txt',
  '../../../../../../etc/passwd',
  '/etc/passwd',
  'link.txt',
  'texts/../../secret.txt',
])('a body or an attachment at %s is refused, and neither read nor uploaded', (path) => {
  const { campaign, mistakes, attached } = read(path);
  expect(mistakes.map(({ message }) => message)).toEqual([1, 2].map(() => expect.stringContaining('is not in the folder of')));
  expect(JSON.stringify(campaign)).not.toContain('secret\\"');
  expect([...attached.keys()]).toEqual(['']);
});

it('one below the folder of the file is read', () => {
  const { campaign, mistakes } = read('texts/own.txt');
  expect(mistakes).toEqual([]);
  expect(campaign.steps?.[0]).toMatchObject({ text: 'own' });
});

it.each(
  'url website settingcontent-ms appref-ms library-ms search-ms vhdx scf msu html svg docm xlam iqy slk mht desktop php exe'.split(' '),
)('a file .%s, which runs or makes something run, can not be attached', (extension) => {
  for (const name of [`a.${extension}`, `a.${extension.toUpperCase()}. .`, `../x/a.${extension} `])
    expect(() => attachmentName(name)).toThrow("can't be attached");
});
