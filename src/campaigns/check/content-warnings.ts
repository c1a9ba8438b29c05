import { setImmediate } from 'node:timers/promises';
import { quantity } from '../../core/english.ts';
import { tagsOf } from '../../html/tags.ts';
import { marksOf } from '../content/notation.ts';
import { findPlaceholders, placeholdersOf, SIGNATURE, unknownProblem } from '../content/placeholders.ts';
import type { StepRow } from '../steps/read-steps.ts';
import { type CampaignFacts, contactsBefore } from './campaign-facts.ts';
import { spamSigns } from './spam-signs.ts';
import { block, type CampaignWarning, warn } from './warning.ts';

/** Gmail clips messages above 102 KB. */
export const LARGE_BODY = 100 * 1024;

interface Variant {
  name: string;
  subject: string;
  body: string;
}

/** Returns the variants of a step that are sent. The subjects of later steps are empty, because they are never used. */
function variantsOf({ step_order, subject, subject_b, body_html, body_html_b }: StepRow): Variant[] {
  const own = (text: string) => (step_order === 1 ? text : '');
  const a = { name: `step ${step_order}`, subject: own(subject), body: body_html };
  if (body_html_b === null && (subject_b === null || step_order > 1)) return [a];
  return [a, { name: `${a.name} (variant B)`, subject: own(subject_b ?? subject), body: body_html_b ?? body_html }];
}

/**
 * Returns warnings about the texts of a campaign's email steps. Yields to the event loop before each step, because fifty steps can have 25
 * MB.
 * @param unknown keys that no field has
 */
export async function contentWarnings(facts: CampaignFacts, unknown: ReadonlySet<string>): Promise<CampaignWarning[]> {
  const emails = facts.steps.filter(({ kind }) => kind === 'email');
  if (emails.length === 0) return [block('no_email_step', 'the campaign has no email step')];
  const warnings: CampaignWarning[] = [];
  for (const step of emails) {
    await setImmediate();
    const about = { step_order: step.step_order, contacts: contactsBefore(facts, step.step_order) };
    const keys = keysOf(step).filter((key) => unknown.has(key));
    const held = about.contacts === 0 ? 'its emails' : `its emails to ${quantity(about.contacts, 'contact')}`;
    const message = `step ${step.step_order}: ${unknownProblem(keys)}; ${held} will be held`;
    const placeholders = keys.length > 0 ? [block('unknown_placeholder', message, about)] : [];
    warnings.push(
      ...placeholders,
      ...signatureWarnings(facts, step),
      ...(facts.spintax ? [] : choiceWarnings(step)),
      ...variantsOf(step).flatMap((variant) => variantWarnings(step.step_order, variant)),
      ...shortWarnings(facts, step),
    );
  }
  return warnings;
}

function signatureWarnings(
  { signature, account_email }: CampaignFacts,
  { step_order, body_html, body_html_b }: StepRow,
): CampaignWarning[] {
  const isUsed = [body_html, body_html_b ?? ''].flatMap(placeholdersOf).some(({ key }) => key === SIGNATURE);
  if (signature !== null || !isUsed) return [];
  const message = `step ${step_order}: {{${SIGNATURE}}} will be empty; the account ${account_email} has no signature, or it is archived`;
  return [warn('no_signature', message, { step_order })];
}

/** Length below which SpamAssassin 4.0 treats an email with an open-tracking image as an image-only email (HTML_IMAGE_ONLY_04 to _12). */
const SHORT_TEXT = 1_200;

/**
 * Warns of short bodies with an open-tracking image. They score up to 1.7 of SpamAssassin's 5 points, more than any other feature of an
 * email.
 */
function shortWarnings({ id, track_opens }: CampaignFacts, step: StepRow): CampaignWarning[] {
  if (!track_opens) return [];
  const short = variantsOf(step).find(({ body }) => Buffer.byteLength(body) < SHORT_TEXT);
  if (short === undefined) return [];
  const message = `${short.name}: spam filters count an open-tracking image against so short a text (SpamAssassin: HTML_IMAGE_ONLY); \
to leave it out, run: outreach campaign set ${id} --track-opens false`;
  return [warn('short_with_image', message, { step_order: step.step_order })];
}

/** Warns of choices that are sent unchanged because the campaign does not use choices. */
function choiceWarnings(step: StepRow): CampaignWarning[] {
  const { step_order } = step;
  return variantsOf(step).flatMap(({ name, subject, body }) => {
    const choice = [subject, body].map(firstChoice).find((text) => text !== undefined);
    if (choice === undefined) return [];
    const message = `${name}: ${choice} is sent unchanged; to send one of its texts, turn on the option spintax`;
    return [warn('spintax_off', message, { step_order })];
  });
}

/** The beginning of the first choice in a text. */
function firstChoice(text: string): string | undefined {
  const open = marksOf(text).find(({ role }) => role === 'open');
  return open && `${text.slice(open.start, open.start + 40)}${text.length > open.start + 40 ? '…' : ''}`;
}

/** Keys that the emails of a step use, each once. */
export const keysOf = (step: StepRow): string[] => [
  ...new Set(variantsOf(step).flatMap(({ subject, body }) => [...findPlaceholders(subject), ...findPlaceholders(body)])),
];

function variantWarnings(step_order: number, { name, subject, body }: Variant): CampaignWarning[] {
  const about = { step_order };
  const addresses = addressesIn(body);
  const insecure = addresses.find(({ tag, url }) => tag === 'a' && /^http:/i.test(url));
  const broken = addresses.find((address) => !canWork(address));
  return [
    ...(step_order === 1 && subject === '' ? [warn('no_subject', `${name}: the subject is empty`, about)] : []),
    ...(Buffer.byteLength(body) > LARGE_BODY
      ? [warn('large_body', `${name}: the body is larger than 100 KiB; some email clients will clip it`, about)]
      : []),
    ...(insecure === undefined ? [] : [warn('link_not_https', `${name}: a link is not https: ${insecure.url}`, about)]),
    ...(broken === undefined ? [] : [warn('broken_link', `${name}: ${brokenWords(broken)}`, about)]),
    ...spamSigns(subject, body).map((sign) => warn('looks_like_spam', `${name}: ${sign}`, about)),
  ];
}

/** The address of a link or an image, as the author wrote it. Empty if the attribute is empty. */
interface WrittenAddress {
  tag: 'a' | 'img';
  url: string;
}

function addressesIn(html: string): WrittenAddress[] {
  const found: WrittenAddress[] = [];
  for (const { name, isEnd, attributes } of tagsOf(html)) {
    if (isEnd || (name !== 'a' && name !== 'img')) continue;
    const address = attributes.find((attribute) => attribute.name === (name === 'a' ? 'href' : 'src'));
    if (address !== undefined) found.push({ tag: name, url: address.value.trim().slice(0, 100) });
  }
  return found;
}

/** True if a recipient's email client can follow the address. An email has no page that a relative address could be resolved against. */
function canWork({ tag, url }: WrittenAddress): boolean {
  if (url.startsWith('{{') || /^https?:\/\/[^/\s]/i.test(url)) return true;
  return tag === 'a' && /^(?:mailto:|tel:|sms:|#)./i.test(url);
}

function brokenWords({ tag, url }: WrittenAddress): string {
  const what = tag === 'a' ? 'a link' : 'an image';
  if (url === '') return `${what} has no address`;
  if (tag === 'img' && /^(?:data|cid):/i.test(url))
    return `${what} is embedded (${url.slice(0, 40)}), which many email clients don't show; use an https address`;
  return `${what} does not work in an email: ${url}; write the whole address, with https://`;
}
