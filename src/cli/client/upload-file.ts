import { createReadStream, openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { invalid } from '../../core/errors.ts';
import { fileSize } from '../../files/input-file.ts';
import { MAX_ATTACHED_BYTES } from '../../uploads/attachments.ts';
import { currentWorkspace } from '../current-workspace.ts';
import { openInstallation, settingsOf } from '../installation.ts';
import type { Login } from '../login.ts';
import { postForm } from './post-form.ts';
import type { TargetFlags } from './target.ts';

/** An uploaded file. `sha256`, in hexadecimal, attaches it; `size` is in bytes. */
export interface Uploaded {
  name: string;
  size: number;
  sha256: string;
}

/**
 * Uploads a file to the server that the command works on, or stores it in the installation of this machine. Throws `invalid_request`
 * for a file that can't be read, is larger than 15 MiB or runs when it is opened.
 */
export async function uploadFile(flags: TargetFlags, server: Login | undefined, path: string): Promise<Uploaded> {
  if (fileSize(path) > MAX_ATTACHED_BYTES) throw invalid(`${path} is larger than 15 MiB`);
  if (server === undefined) return storeHere(flags, path);
  const form = new FormData();
  form.set('file', await openAsBlob(path), basename(path));
  return postForm<Uploaded>(server, '/attachments', form);
}

async function storeHere(flags: TargetFlags, path: string): Promise<Uploaded> {
  const { app, close } = await openInstallation(settingsOf(flags));
  try {
    const { findWorkspace, operator } = await import('../operator.ts');
    const { keepFile, receiveFile } = await import('../../uploads/receive.ts');
    const { id } = await findWorkspace(app.db, currentWorkspace(flags.workspace, app.config.dataDir));
    const file = await receiveFile(app, operator(id), basename(path), createReadStream(path));
    await keepFile(app, operator(id), file);
    return file.toJSON();
  } finally {
    await close();
  }
}
