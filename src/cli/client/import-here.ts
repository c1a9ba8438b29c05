import { findUserByEmail, findWorkspace, operator } from '../../access/index.ts';
import { type ImportProgress, type ImportResult, importContacts } from '../../contacts/import/index.ts';
import { emailsToAddress } from '../../outbox/index.ts';
import { currentWorkspace } from '../current-workspace.ts';
import { openInstallation, settingsOf } from '../installation.ts';
import type { ContactFile } from './import-contacts.ts';
import type { TargetFlags } from './target.ts';

/** Imports a file into the installation of this machine, as its operator; the contacts belong to `owner`, if given. */
export async function importHere(
  flags: TargetFlags & { owner: string | undefined },
  file: ContactFile,
  signal: AbortSignal,
  progress: (state: ImportProgress) => void,
): Promise<ImportResult> {
  const { app, close } = await openInstallation(settingsOf(flags));
  try {
    const { id } = await findWorkspace(app.db, currentWorkspace(flags.workspace, app.config.dataDir));
    const owner = flags.owner === undefined ? null : (await findUserByEmail(app.db, flags.owner)).id;
    return await importContacts(app, operator(id, owner), { ...file, signal, progress, emailsToAddress });
  } finally {
    await close();
  }
}
