import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type ContactRow, getContact, listCustomFields } from '../../contacts/index.ts';
import { waitText } from '../../core/wait-text.ts';
import { isKnownZone } from '../../core/zone.ts';
import type { Queryable } from '../../db/statement.ts';
import { getCampaignOptions } from '../campaign/read-options.ts';
import { checkSetup } from '../check/check-campaign.ts';
import { LARGE_BODY } from '../check/content-warnings.ts';
import { emailValues, type MergeValues } from '../content/merge-values.ts';
import { notesOptions, render } from '../content/render.ts';
import { renderStep } from '../content/render-step.ts';
import type { CopyAddresses } from '../options/campaign-options.ts';
import { ZONE_FIELD } from '../schedule/contact-zone.ts';
import type { StepKind } from '../states/step.ts';
import { attachmentsOf, listSteps, type StepRow, stepTimings } from '../steps/read-steps.ts';
import { previewSender } from './preview-sender.ts';

/** A step as one contact would receive it. */
interface PreviewedStep {
  step_order: number;
  kind: StepKind;
  /** `B` for content that only group B gets. */
  variant: 'A' | 'B';
  wait_days: number;
  /** The whole wait, as campaign files write it: `3 business days`, `1 day 12 hours`. */
  wait: string;
  /** Null for a call. */
  subject: string | null;
  /** HTML; for a call, its notes as text. */
  body_html: string;
  /** Names of the attached files. */
  attachments: string[];
  /** Keys of unknown placeholders. */
  unknown: string[];
  /** Reason why the email would be held; null if it would be sent. */
  fault: string | null;
}

export interface Preview extends CopyAddresses {
  campaign_id: number;
  contact_id: number;
  steps: PreviewedStep[];
  /** Sentences about what to check before the campaign is activated. */
  warnings: string[];
}

/** Renders every step of a campaign as one contact would receive it, in both A/B groups. Throws `not_found`. */
export async function previewCampaign(app: App, caller: Caller, campaignId: number, contactId: number): Promise<Preview> {
  const { db } = app;
  const steps = await previewable(db, caller, campaignId);
  const contact = await getContact(db, caller, contactId);
  const fields = await listCustomFields(db, caller);
  const sender = await previewSender(app, caller, campaignId);
  const { cc, bcc } = await getCampaignOptions(db, caller, campaignId);
  const values = emailValues(
    contact,
    fields.map((field) => field.key),
    sender.values,
  );
  const previewed = (['A', 'B'] as const).flatMap((variant) => previewVariant(steps, { ...sender, variant, values, contactId }));
  previewed.sort((one, other) => one.step_order - other.step_order);
  return {
    campaign_id: campaignId,
    contact_id: contactId,
    cc,
    bcc,
    steps: previewed,
    warnings: [
      ...(await checkSetup(app, caller, campaignId)).map(({ message }) => message),
      ...(await zoneWarnings(db, caller, campaignId, contact)),
      ...stepWarnings(previewed),
    ],
  };
}

/** A step with the data that its record does not contain. */
interface Previewable extends StepRow {
  wait: string;
  attachments: string[];
}

async function previewable(db: Queryable, caller: Caller, campaignId: number): Promise<Previewable[]> {
  const steps = await listSteps(db, caller, campaignId);
  const timings = await stepTimings(db, campaignId);
  const files = await attachmentsOf(db, campaignId);
  return steps.map((step) => ({
    ...step,
    wait: waitText({ wait_days: step.wait_days, ...timings.get(step.id) }),
    attachments: files.get(step.id)?.map(({ name }) => name) ?? [],
  }));
}

/** Maximum number of characters of an email to show. No email client shows more. */
const MAX_SHOWN = 512 * 1024;

interface Merge {
  variant: 'A' | 'B';
  contactId: number;
  values: MergeValues;
  signatureHtml: string | null;
  footerHtml: string | null;
  spintax: boolean;
}

/** Renders the steps of one group; for group B only those whose body or subject differs from A's. */
function previewVariant(steps: readonly Previewable[], { variant, ...merged }: Merge): PreviewedStep[] {
  const [opening] = steps;
  if (opening === undefined) return [];
  const isB = variant === 'B';
  const merge = (step: StepRow, threadSubject: string | null) =>
    renderStep({ step, opening, isB, stepOrder: step.step_order, threadSubject, ...merged });
  const threadSubject = merge(opening, null).subject;
  return steps.flatMap((step): PreviewedStep[] => {
    const { step_order, kind, wait_days, wait, attachments } = step;
    const shown = { step_order, kind, variant, wait_days, wait, attachments };
    if (kind === 'call') {
      const { text, unknown } = render(step.body_html, merged.values, notesOptions(merged.contactId, step_order, merged.spintax));
      return isB ? [] : [{ ...shown, subject: null, body_html: text, unknown, fault: null }];
    }
    if (isB && step.body_html_b === null && opening.subject_b === null) return [];
    const { subject, html, unknown, fault } = merge(step, step === opening ? null : threadSubject);
    return [{ ...shown, subject, body_html: html.slice(0, MAX_SHOWN), unknown, fault }];
  });
}

/** Warns of an unknown time zone in the contact's field, for which the campaign's applies. */
async function zoneWarnings(db: Queryable, caller: Caller, campaignId: number, contact: ContactRow): Promise<string[]> {
  const zone = contact.custom_fields[ZONE_FIELD];
  const { use_contact_timezone } = await getCampaignOptions(db, caller, campaignId);
  if (!use_contact_timezone || zone === undefined || isKnownZone(zone)) return [];
  return [`the contact's time zone "${zone}" is unknown; the campaign's time zone applies`];
}

function stepWarnings(steps: readonly PreviewedStep[]): string[] {
  return steps.flatMap(({ step_order, variant, subject, body_html, fault }) => {
    const where = variant === 'B' ? `step ${step_order} (variant B)` : `step ${step_order}`;
    return [
      ...(fault === null ? [] : [`${where}: ${fault}; its emails will be held`]),
      ...(step_order === 1 && subject === '' ? [`${where}: the subject is empty`] : []),
      ...(Buffer.byteLength(body_html) > LARGE_BODY ? [`${where}: the body is larger than 100 KiB; some email clients will clip it`] : []),
    ];
  });
}
