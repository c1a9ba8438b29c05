import { createHash } from 'node:crypto';
import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { conflict, invalid } from '../core/errors.ts';
import { type AppliedCampaign, applyCampaign } from './apply-campaign.ts';
import { FieldMistake } from './mistakes.ts';
import type { DeclaredCampaign } from './schema.ts';

/** A mistake, with the position of its campaign. */
interface PlacedMistake {
  campaign: number;
  field: string;
  message: string;
}

export interface Applied {
  /** Identifies exactly these changes; the caller of `applyCampaigns` can require them. */
  digest: string;
  /** In the order of the campaigns, without those that have mistakes. */
  results: AppliedCampaign[];
  mistakes: PlacedMistake[];
}

export interface ApplyOptions {
  /** True to change nothing and return the changes that would be made. */
  dryRun: boolean;
  /** The digest of the changes that were shown; undefined accepts any. */
  expected?: string | undefined;
}

/** Carries the result out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly applied: Applied;

  constructor(applied: Applied) {
    super('rolled back');
    this.applied = applied;
  }
}

/**
 * Makes campaigns match their files and creates new ones: all of them in one transaction, or none. A dry run is the same transaction,
 * rolled back, so it finds the same mistakes and returns the same changes. Applying the same files again changes nothing. Throws
 * `invalid_request` with every mistake, except in a dry run, which returns them. Throws `conflict` if the changes differ from those
 * expected.
 */
export async function applyCampaigns(
  app: App,
  caller: Caller,
  declared: readonly DeclaredCampaign[],
  { dryRun, expected }: ApplyOptions,
): Promise<Applied> {
  try {
    return await app.db.tx(async (tx) => {
      const applied = await applyAll({ ...app, db: app.db.within(tx) }, caller, declared);
      if (dryRun || applied.mistakes.length > 0) throw new RolledBack(applied);
      if (expected !== undefined && expected !== applied.digest)
        throw conflict('the campaigns have changed since these changes were shown; look at them again');
      return applied;
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    if (!dryRun) throw invalid(error.applied.mistakes.map(sentenceOf).join('; '));
    return error.applied;
  }
}

const sentenceOf = ({ campaign, field, message }: PlacedMistake) => `campaigns[${campaign}].${field}: ${message}`;

async function applyAll(app: App, caller: Caller, declared: readonly DeclaredCampaign[]): Promise<Applied> {
  const results: AppliedCampaign[] = [];
  const mistakes: PlacedMistake[] = [];
  for (const [index, campaign] of declared.entries()) {
    const report = ({ field, message }: FieldMistake): void => void mistakes.push({ campaign: index, field, message });
    const isSecond = declared.slice(0, index).some(({ name }) => name.toLowerCase() === campaign.name.toLowerCase());
    if (isSecond) report(new FieldMistake('name', 'another campaign among these has this name'));
    const applied = isSecond ? undefined : await applyCampaign(app, caller, campaign, report);
    if (applied !== undefined) results.push(applied);
  }
  return { digest: digestOf(results), results, mistakes };
}

/** New ids are left out, because they differ from one run to the next. */
const digestOf = (results: readonly AppliedCampaign[]): string =>
  createHash('sha256')
    .update(JSON.stringify(results.map(({ before, after, enrolled }) => [before, after, enrolled])))
    .digest('base64url');
