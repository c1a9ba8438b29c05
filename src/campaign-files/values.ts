import { type CampaignPatch, hoursOf, type StepRow, type StepTiming } from '../campaigns/index.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { waitOf, waitText } from '../core/wait-text.ts';
import { atLocalTime, localTime } from '../core/zone.ts';
import { paragraphsOf } from '../html/paragraphs.ts';
import type { NamedFile } from '../uploads/attachments.ts';
import { DAY_NAMES, type DeclaredCampaign, type DeclaredStep } from './schema.ts';

/**
 * Returns the days of the week as a file names them.
 * @param days 1 (Monday) to 7
 */
export const dayNames = (days: readonly number[]) => days.map((day) => DAY_NAMES[day - 1] ?? 'mon');

/** Returns the settings of a file as a campaign stores them, without its name, its accounts and its start. */
export function settingsOf({ timezone, days, hours, ab_test, reply_to, cc, bcc, track, options }: DeclaredCampaign): CampaignPatch {
  const [first, ...more] = hours === undefined ? [] : [hours].flat();
  const window = first === undefined ? undefined : hoursOf(first);
  return {
    timezone,
    sending_days: days?.map((day) => DAY_NAMES.indexOf(day) + 1),
    sending_hour_start: window?.startHour,
    sending_hour_end: window?.endHour,
    more_hours: hours === undefined ? undefined : more,
    ...testOf(ab_test),
    reply_to,
    ...options,
    cc,
    bcc,
    track_opens: track?.opens,
    track_clicks: track?.clicks,
  };
}

function testOf(test: DeclaredCampaign['ab_test']): CampaignPatch {
  if (test === undefined) return {};
  if (test === null) return { ab_test_enabled: false };
  const { startHour, endHour } = test.hours_b ? hoursOf(test.hours_b) : { startHour: test.hours_b, endHour: test.hours_b };
  return {
    ab_test_enabled: true,
    ab_split_percent: test.split,
    sending_hour_start_b: startHour as number | null | undefined,
    sending_hour_end_b: endHour as number | null | undefined,
  };
}

/** The content of a step as a campaign stores it. */
export type StepContent = Omit<StepRow, 'id' | 'step_order'> & StepTiming;

/** Converts a step of a file to the form in which a campaign stores it. The notes of a call are its body. */
export function stepOf({ call, wait, subject, body, text, b }: DeclaredStep): StepContent {
  const waits = waitOf(wait ?? '0 days');
  const none = { subject: '', subject_b: null, body_html_b: null };
  if (call !== undefined) return { kind: 'call', ...waits, body_html: call, ...none };
  return {
    kind: 'email',
    ...waits,
    subject: subject ?? '',
    body_html: bodyOf(body, text) ?? '',
    subject_b: b?.subject ?? null,
    body_html_b: bodyOf(b?.body, b?.text) ?? null,
  };
}

const bodyOf = (body: string | undefined, text: string | undefined): string | undefined =>
  body ?? (text === undefined ? undefined : paragraphsOf(text));

/** Converts a stored step to the form of a file, without default values. */
export function declaredStep(
  { kind, subject, body_html, subject_b, body_html_b, ...waits }: StepContent,
  files: readonly NamedFile[] = [],
): DeclaredStep {
  const { wait_days, wait_hours, business_days } = waits;
  const wait = wait_days === 0 && wait_hours === 0 && !business_days ? {} : { wait: waitText(waits) };
  if (kind === 'call') return { ...wait, call: body_html };
  const b = { ...(subject_b === null ? {} : { subject: subject_b }), ...(body_html_b === null ? {} : { body: body_html_b }) };
  return {
    ...wait,
    ...(subject === '' ? {} : { subject }),
    body: body_html,
    ...(files.length === 0 ? {} : { attachments: files.map(({ name, sha256 }) => ({ name, sha256 })) }),
    ...(Object.keys(b).length === 0 ? {} : { b }),
  };
}

/** Formats a planned start for a file: as local time, or as RFC 3339 if a clock change makes that ambiguous. */
export function startText(at: Date, timezone: string): string {
  const local = localTime(at, timezone);
  if (atLocalTime(local, timezone).getTime() !== at.getTime()) return at.toISOString().replace('.000Z', 'Z');
  const text = formatTimestamp(new Date(local));
  return text.endsWith(':00') ? text.slice(0, -3) : text;
}
