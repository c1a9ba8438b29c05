import { grouped } from '../core/english.ts';
import { invalid } from '../core/errors.ts';
import type { Tx } from '../db/transaction.ts';
import { findFile } from './files.ts';
import { attachmentName } from './names.ts';

/** Files that an email may have. */
export const MAX_ATTACHMENTS = 10;
/** The most that the attachments of an email may have together, and so the largest file, in bytes. Messages and pages call it 15 MiB. */
export const MAX_ATTACHED_BYTES = 15 * 1024 * 1024;

/** A file that was uploaded to the workspace, by its content, and the name under which it is attached. */
export interface NamedFile {
  name: string;
  /** In hexadecimal. */
  sha256: string;
}

/** An attachment as steps and answers keep it. */
export interface AttachedFile extends NamedFile {
  file_id: number;
  /** In bytes. */
  size: number;
}

/** Two files that an email can't both have: email clients save them under one name. */
export const hasSameName = (one: { name: string }, other: { name: string }) => one.name.toLowerCase() === other.name.toLowerCase();

/** The files with their names cleaned. Throws `invalid_request` for the name of a program, for one that two have, and for one file twice. */
export function cleanlyNamed(files: readonly NamedFile[]): NamedFile[] {
  const named = files.map(({ name, sha256 }) => ({ name: attachmentName(name), sha256 }));
  for (const [index, file] of named.entries()) {
    const earlier = named.slice(0, index);
    if (earlier.some((each) => hasSameName(each, file))) throw invalid(`attachments: two are named "${file.name}"`);
    const same = earlier.find(({ sha256 }) => sha256 === file.sha256);
    if (same !== undefined) throw invalid(`attachments: "${same.name}" and "${file.name}" are the same file`);
  }
  return named;
}

/**
 * Finds the uploaded files that an email is to have beside those that it has, and keeps them from being deleted in this transaction. Throws
 * `invalid_request` if one is not stored, and beyond the limits of an email.
 * @param kept the sizes of those that it has, in bytes
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
