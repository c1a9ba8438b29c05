import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import {
  type CampaignPatch,
  changeCampaign,
  createCampaign,
  createRotation,
  enrol,
  expandTemplates,
  getCampaign,
  planStart,
  sendingAccounts,
  setRotationAccounts,
} from '../campaigns/index.ts';
import type { Queryable } from '../db/statement.ts';
import { checkAuthorHtml } from '../html/author-html.ts';
import { applySteps } from './apply-steps.ts';
import { FieldMistake, mistakeOf } from './mistakes.ts';
import { readDeclared } from './read-declared.ts';
import { findAccounts, findList, findNamed, findSubsequences, startOf } from './resolve.ts';
import type { DeclaredCampaign, DeclaredStep } from './schema.ts';
import { type StepContent, settingsOf, stepOf } from './values.ts';

/** The changes of one campaign. */
export interface AppliedCampaign {
  /** After a dry run, the id of a new campaign is unused. */
  id: number;
  name: string;
  action: 'create' | 'update' | 'none';
  /** The keys that change. */
  fields: string[];
  /** The campaign before the change, with every key; null if it is new. */
  before: DeclaredCampaign | null;
  after: DeclaredCampaign;
  /** Number of contacts of the list who were not in the campaign. */
  enrolled: number;
  /** Keys of the file that were not applied, with the reason. */
  notes: string[];
}

type Report = (mistake: FieldMistake) => void;

/**
 * Applies one campaign in the transaction of `app.db`, and reports every mistake in it.
 * @returns undefined if there is a mistake; the campaign may then be partly applied
 */
export async function applyCampaign(
  app: App,
  caller: Caller,
  declared: DeclaredCampaign,
  report: Report,
): Promise<AppliedCampaign | undefined> {
  const collector = new ErrorCollector(app, report);
  const steps = declared.steps && (await collector.attempt('steps', ({ db }) => stepsOf(db, caller, declared.steps ?? [])));
  const attachments = declared.steps?.map((step) => step.attachments ?? []) ?? [];
  for (const [index, step] of (steps ?? []).entries()) checkBodies(step, index, collector.report);
  const found = await collector.attempt('name', async ({ db }) => ({ id: await findNamed(db, caller, declared.name) }));
  const { list } = declared.contacts ?? {};
  const listId =
    list === undefined ? undefined : await collector.attempt('contacts.list', ({ db }) => findList(db, caller, 'contacts.list', list));
  const joined = await collector.attempt('list', ({ db }) => joinedList(db, caller, declared));
  const subsequences = await collector.attempt('subsequences', ({ db }) => findSubsequences(db, caller, declared.subsequences));
  if (found === undefined) return undefined;
  const before = found.id === undefined ? null : await readDeclared(app, caller, found.id);
  const accounts = await collector.attempt('accounts', (inside) => accountsOf(inside, caller, declared, found.id, collector.report));
  const id =
    accounts &&
    (await collector.attempt('name', (inside) =>
      createOrChange(inside, caller, { ...settingsOf(declared), ...joined, ...subsequences, name: declared.name }, found.id, accounts),
    ));
  if (id === undefined) return undefined;
  const note = await collector.attempt('starts_at', (inside) => applyStart(inside, caller, id, declared.starts_at));
  if (steps !== undefined && !collector.hasErrors)
    await collector.attempt('steps', (inside) => applySteps(inside, caller, id, steps, attachments));
  const enrolled = listId && (await collector.attempt('contacts.list', (inside) => enrol(inside, caller, id, { list_ids: [listId] })));
  if (collector.hasErrors) return undefined;
  return { id, ...changes(before, await readDeclared(app, caller, id), enrolled ? enrolled.enrolled : 0), notes: note ? [note] : [] };
}

/** Runs parts of a change, each at a savepoint, and reports the mistakes in them. */
class ErrorCollector {
  readonly #app: App;
  readonly #report: Report;
  hasErrors = false;

  constructor(app: App, report: Report) {
    this.#app = app;
    this.#report = report;
  }

  readonly report: Report = (mistake) => {
    this.hasErrors = true;
    this.#report(mistake);
  };

  /**
   * Returns undefined after a mistake. Throws every other error.
   * @param field the field of a mistake that names no other
   */
  async attempt<Result>(field: string, work: (app: App) => Promise<Result>): Promise<Result | undefined> {
    const app = this.#app;
    try {
      return await app.db.tx((tx) => work({ ...app, db: app.db.within(tx) }));
    } catch (error) {
      const mistake = mistakeOf(error, field);
      if (mistake === undefined) throw error;
      this.report(mistake);
      return undefined;
    }
  }
}

/** Returns the difference between two states of a campaign. */
function changes(before: DeclaredCampaign | null, after: DeclaredCampaign, enrolled: number) {
  const textOf = (campaign: DeclaredCampaign | null, key: string) => JSON.stringify(campaign?.[key as keyof DeclaredCampaign]);
  const fields = Object.keys(after).filter((key) => textOf(before, key) !== textOf(after, key));
  const changed = fields.length > 0 || enrolled > 0 ? 'update' : 'none';
  const action: AppliedCampaign['action'] = before === null ? 'create' : changed;
  return { name: after.name, action, fields, before, after, enrolled };
}

/**
 * Reads the steps of a file and replaces template names by the templates. Throws a `FieldMistake` for a name that several templates have.
 */
async function stepsOf(db: Queryable, caller: Caller, declared: readonly DeclaredStep[]): Promise<StepContent[]> {
  const steps: StepContent[] = [];
  for (const [index, step] of declared.map(stepOf).entries()) {
    try {
      steps.push({ ...step, ...(await expandTemplates(db, caller, step.kind, step)) });
    } catch (error) {
      const mistake = mistakeOf(error, 'body');
      if (mistake === undefined) throw error;
      throw new FieldMistake(`steps[${index}].body`, mistake.message.replace(/^body_html(?:_b)?: /, ''));
    }
  }
  return steps;
}

function checkBodies({ kind, body_html, body_html_b }: StepContent, index: number, report: Report): void {
  if (kind === 'call') return;
  for (const [field, html] of [
    ['body', body_html],
    ['b.body', body_html_b],
  ] as const)
    try {
      if (html !== null) checkAuthorHtml(field, html);
    } catch (error) {
      const mistake = mistakeOf(error, field);
      if (mistake === undefined) throw error;
      report(new FieldMistake(`steps[${index}].${field}`, mistake.message.replace(`${field}: `, '')));
    }
}

/** Finds the list whose new members are enrolled, if the file names one. */
async function joinedList(db: Queryable, caller: Caller, { list }: DeclaredCampaign): Promise<{ list_id?: number | null }> {
  if (list === undefined) return {};
  return { list_id: list === null ? null : await findList(db, caller, 'list', list) };
}

interface Accounts {
  /** The group that the campaign is in, or null. */
  groupId: number | null;
  /** Accounts that the file names; undefined if it does not change them. */
  wanted: number[] | undefined;
}

async function accountsOf(app: App, caller: Caller, declared: DeclaredCampaign, id: number | undefined, report: Report): Promise<Accounts> {
  const present = id === undefined ? { groupId: null, accounts: [] } : await sendingAccounts(app.db, caller, id);
  if (declared.accounts === undefined && id === undefined) throw new FieldMistake('accounts', 'is required for a new campaign');
  const wanted = declared.accounts && (await findAccounts(app.db, caller, declared.accounts, present.accounts, report));
  return { groupId: present.groupId, wanted: wanted?.length === declared.accounts?.length ? wanted : undefined };
}

/** Creates the campaign or changes its settings, then its accounts. Returns its id. */
async function createOrChange(
  app: App,
  caller: Caller,
  settings: CampaignPatch & { name: string },
  found: number | undefined,
  { groupId, wanted }: Accounts,
): Promise<number | undefined> {
  const [account_id] = wanted ?? [];
  if (found === undefined && account_id === undefined) return undefined;
  const { name: _, ...changed } = settings;
  const id = found ?? (await createCampaign(app, caller, { ...settings, account_id: account_id as number })).id;
  if (found !== undefined) await changeCampaign(app, caller, id, changed);
  if (wanted !== undefined) await applyAccounts(app, caller, id, groupId, wanted);
  return id;
}

async function applyAccounts(app: App, caller: Caller, id: number, groupId: number | null, wanted: readonly number[]): Promise<void> {
  if (groupId !== null) {
    await setRotationAccounts(app, caller, groupId, wanted);
    return;
  }
  const { accounts } = await sendingAccounts(app.db, caller, id);
  const [first] = wanted;
  if (first !== undefined && wanted.length === 1) await changeCampaign(app, caller, id, { account_id: first });
  else if (wanted.some((each) => each !== accounts[0]?.id)) {
    const group = await createRotation(app, caller, id, wanted);
    await setRotationAccounts(app, caller, group.id, wanted);
  }
}

/** Plans the start of a draft. Returns a note if the file names another start for a campaign that is not a draft. */
async function applyStart(app: App, caller: Caller, id: number, startsAt: string | null | undefined): Promise<string> {
  if (startsAt === undefined) return '';
  const { status, timezone } = await getCampaign(app.db, caller, id);
  const at = startsAt === null ? null : startOf(startsAt, timezone);
  if (status === 'draft') await planStart(app, caller, id, at);
  else if (at !== null && at > app.clock.now())
    return `starts_at is for drafts, and the campaign is ${status}; to start it later, pause it and run: outreach campaign activate ${id} --at TIME`;
  return '';
}
