import { grouped } from '../core/english.ts';
import { invalid } from '../core/errors.ts';
import type { Tx } from '../db/transaction.ts';
import { findFile } from './files.ts';
import { attachmentName } from './names.ts';

/** Maximum number of files in an email. */
export const MAX_ATTACHMENTS = 10;
/** Maximum size of all attachments of an email together, and so of a file, in bytes. Messages and pages call it 15 MiB. */
export const MAX_ATTACHED_BYTES = 15 * 1024 * 1024;

/** A file that was uploaded to the workspace, identified by its content, and the name under which it is attached. */
export interface NamedFile {
  name: string;
  /** In hexadecimal. */
  sha256: string;
}

/** An attachment as steps and answers store it. */
export interface AttachedFile extends NamedFile {
  file_id: number;
  /** In bytes. */
  size: number;
}

/** True for two files that can't be in one email, because email clients save them under the same name. */
export const hasSameName = (one: { name: string }, other: { name: string }) => one.name.toLowerCase() === other.name.toLowerCase();

/**
 * Returns the files with cleaned names. Throws `invalid_request` for the name of a program, for a name that two files have, and for a file
 * that is given twice.
 */
export function cleanlyNamed(files: readonly NamedFile[]): NamedFile[] {
  const named = files.map(({ name, sha256 }) => ({ name: attachmentName(name), sha256 }));
  for (const [index, file] of named.entries()) {
    const earlier = named.slice(0, index);
    if (earlier.some((each) => hasSameName(each, file))) throw invalid(`attachments: two files are named "${file.name}"`);
    const same = earlier.find(({ sha256 }) => sha256 === file.sha256);
    if (same !== undefined) throw invalid(`attachments: "${same.name}" and "${file.name}" are the same file`);
  }
  return named;
}

/**
 * Finds the uploaded files to add to the attachments of an email, and prevents their deletion during this transaction. Throws
 * `invalid_request` if one is not stored, or if the limits of an email are exceeded.
 * @param kept the attachments that the email already has, with their sizes in bytes
 */
export async function storedFiles(
  tx: Tx,
  workspaceId: number,
  kept: readonly { size: number }[],
  added: readonly NamedFile[],
  now: Date,
): Promise<AttachedFile[]> {
  if (kept.length + added.length > MAX_ATTACHMENTS) throw invalid(`attachments: at most ${MAX_ATTACHMENTS} files`);
  const files: AttachedFile[] = [];
  for (const { name, sha256 } of added) {
    const file = await findFile(tx, workspaceId, sha256, now);
    if (file === undefined) throw invalid(`attachments: there is no uploaded file with the SHA-256 ${sha256}; upload "${name}" again`);
    files.push({ file_id: file.id, name, size: file.size, sha256 });
  }
  const total = [...kept, ...files].reduce((sum, { size }) => sum + size, 0);
  if (total > MAX_ATTACHED_BYTES)
    throw invalid(`attachments: ${grouped(total)} bytes in all; an email may have 15 MiB, ${grouped(MAX_ATTACHED_BYTES)} bytes`);
  return files;
}
