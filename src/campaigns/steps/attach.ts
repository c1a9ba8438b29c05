import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { type AttachedFile, cleanlyNamed, hasSameName, type NamedFile, storedFiles } from '../../uploads/attachments.ts';
import { attachmentName } from '../../uploads/names.ts';
import { lockSequence } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { releaseStep } from '../enrolments/content-hold.ts';
import { retryFailed } from '../enrolments/failures.ts';
import { attachmentsOf, getStep } from './read-steps.ts';

/** An attachment of a step as the API shows it. */
export type Attachment = Omit<AttachedFile, 'file_id'> & { id: number };

/** Lists the attachments of a step. Throws `not_found`. */
export async function listAttachments(db: Queryable, caller: Caller, campaignId: number, stepId: number): Promise<Attachment[]> {
  await getStep(db, caller, campaignId, stepId);
  const attached = (await attachmentsOf(db, campaignId)).get(stepId) ?? [];
  return attached.map(({ file_id: id, ...attachment }) => ({ id, ...attachment }));
}

/**
 * Attaches an uploaded file to a step, in a rotation group in every campaign. Throws `not_found`; `conflict` for a name or a file that the
 * step already has; `invalid_request` for a call, for a file that was not uploaded, for more than 10 files, and for more than 15 MiB in
 * all.
 */
export async function attachFile(app: App, caller: Caller, campaignId: number, stepId: number, file: NamedFile): Promise<Attachment> {
  const name = attachmentName(file.name);
  await changeAttachments(app, caller, campaignId, stepId, (present) => {
    if (present.some((each) => hasSameName(each, { name })))
      throw conflict(`the step has an attachment named "${name}"; remove that first, or give this one another name`);
    const same = present.find(({ sha256 }) => sha256 === file.sha256);
    if (same !== undefined) throw conflict(`the step has this file already, named "${same.name}"; remove that first`);
    return [...present, { name, sha256: file.sha256 }];
  });
  const attached = (await listAttachments(app.db, caller, campaignId, stepId)).find((each) => hasSameName(each, { name }));
  if (attached === undefined) throw notFound('attachment');
  return attached;
}

/** Removes an attachment from a step, in a rotation group in every campaign. Throws `not_found`. */
export async function detachFile(app: App, caller: Caller, campaignId: number, stepId: number, id: number): Promise<void> {
  await changeAttachments(app, caller, campaignId, stepId, (present) => {
    const gone = present.find(({ file_id }) => file_id === id);
    if (gone === undefined) throw notFound('attachment');
    return present.filter((each) => each !== gone);
  });
}

/** Gives a step exactly these attachments. Throws like `attachFile`. */
export async function setAttachments(
  app: App,
  caller: Caller,
  campaignId: number,
  stepId: number,
  files: readonly NamedFile[],
): Promise<void> {
  const wanted = cleanlyNamed(files);
  await changeAttachments(app, caller, campaignId, stepId, () => wanted);
}

const isSame = (one: NamedFile, other: NamedFile) => one.name === other.name && one.sha256 === other.sha256;

/**
 * Changes the attachments of a step, and of the steps with its number in the group, as one change. Does nothing if the attachments stay the
 * same.
 */
async function changeAttachments(
  app: App,
  caller: Caller,
  campaignId: number,
  stepId: number,
  change: (present: readonly AttachedFile[]) => readonly NamedFile[],
): Promise<void> {
  await app.db.tx(async (tx) => {
    const members = await lockSequence(tx, caller, campaignId);
    const { step_order: order, kind } = await getStep(tx, caller, campaignId, stepId);
    const present = (await attachmentsOf(tx, campaignId)).get(stepId) ?? [];
    const wanted = change(present);
    const gone = present.filter((each) => !wanted.some((file) => isSame(each, file)));
    const added = wanted.filter((file) => !present.some((each) => isSame(each, file)));
    if (gone.length === 0 && added.length === 0) return;
    if (kind !== 'email') throw invalid("a call can't have attachments");
    const now = app.clock.now();
    const kept = present.filter((each) => !gone.includes(each));
    const attached = [...kept, ...(await storedFiles(tx, caller.workspaceId, kept, added, now))];
    for (const step of await storeAttachments(tx, members, order, attached, now)) {
      await retryFailed(tx, step.campaign_id, order, now);
      await releaseStep(tx, step.campaign_id, order, now);
      await wakeCampaign(tx, step.campaign_id, now);
      const changes = { step_id: step.id, attached: added.map(({ name }) => name), detached: gone.map(({ name }) => name) };
      await audit(tx, caller, now, { action: 'step.update', resourceType: 'campaign', resourceId: step.campaign_id, changes });
    }
  });
}

/**
 * Stores the attachments and returns the changed steps. Held emails are tried again because the steps have a new version. Index:
 * steps_live_order.
 */
function storeAttachments(
  tx: Tx,
  members: readonly number[],
  order: number,
  attached: readonly AttachedFile[],
  now: Date,
): Promise<{ id: number; campaign_id: number }[]> {
  return tx.query(sql`
    update steps set attachments = ${JSON.stringify(attached)}::jsonb, updated_at = ${now}
    where campaign_id = any(${members}::int[]) and step_order = ${order} and deleted_at is null
    returning id, campaign_id`);
}
