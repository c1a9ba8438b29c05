import { audit, type Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { type StoredFile, shareFile, storeFile } from './files.ts';
import { attachmentName, refuseProgram } from './names.ts';

/**
 * Stores a file while it is received. It can be attached after `keepFile` has kept it. Throws `invalid_request` for an empty file and for a
 * program. The caller limits its size to `MAX_ATTACHED_BYTES`.
 */
export async function receiveFile(app: App, caller: Caller, givenName: string, content: AsyncIterable<Buffer>): Promise<StoredFile> {
  return storeFile(app, caller.workspaceId, attachmentName(givenName), content, refuseProgram);
}

/** Keeps a received file, so that it can be attached by its content. */
export async function keepFile(app: App, caller: Caller, file: StoredFile): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const id = await shareFile(tx, caller.workspaceId, file, now);
    await audit(tx, caller, now, { action: 'attachment.upload', resourceType: 'attachment', resourceId: id, changes: file.toJSON() });
  });
}
