import { z } from 'zod';
import { REGION_PATTERN, regionFault } from '../core/holiday-regions.ts';
import { EMAIL, EMAIL_OR_DOMAIN, FILLED_LINE, INSTANT, LINE, WITHOUT_NUL } from './exact-text.ts';
import { isZoneName, zoneNames } from './zone-names.ts';

/** The largest value of PostgreSQL's `integer`, and so the largest id. */
export const MAX_ID = 2_147_483_647;

const DIGITS = /^-?\d+$/;

/** Digits beyond the range of exact numbers are clamped to it, because every rule refuses them anyway. */
const asInteger = (text: string) => Math.min(Math.max(Number(text), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);

/** An integer, as text in a path or query or as a number from a tRPC client. Strict: `5x` is refused. */
export function textInteger(rule: { min: number; max: number }, description?: string) {
  return z
    .union([z.number(), z.string().regex(DIGITS).transform(asInteger)], 'must be an integer')
    .pipe(z.number().int('must be an integer').min(rule.min, `must be ${rule.min} or more`).max(rule.max, `must be at most ${rule.max}`))
    .meta({ description, override: { type: 'integer', minimum: rule.min, maximum: rule.max } });
}

/** An id in a path. */
export const pathId = textInteger({ min: 1, max: MAX_ID });

/** A boolean, as text in a query. */
export const textBoolean = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], 'must be true or false')
  .pipe(z.boolean())
  .meta({ override: { type: 'boolean' } });

/** `archived` of lists that hide archived records. */
export const archivedQuery = textBoolean.default(false).describe('true: only archived records; false: only those that are not archived');

const limit = textInteger({ min: 1, max: 200 }, 'Maximum number of records to return').default(50);

/** `before` and `limit` of lists that are read from the newest record backwards. */
export const beforeQuery = {
  before: textInteger({ min: 1, max: MAX_ID }, 'Only records before the one with this id, for the next page').optional(),
  limit,
};

/** `limit` and `offset` of paginated lists. */
export const pageQuery = {
  limit,
  offset: textInteger({ min: 0, max: Number.MAX_SAFE_INTEGER }, 'Number of records to skip').default(0),
};

const paginationSchema = z
  .object({ total: z.number().int(), limit: z.number().int(), offset: z.number().int() })
  .meta({ id: 'Pagination' });

/** The response of a paginated list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    pagination: paginationSchema,
  });

/** The response of a small list, which is never paginated. */
export const dataOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item) });

/** A timestamp in a response: UTC, `YYYY-MM-DD HH:MM:SS`. */
export const timestampText = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .meta({ id: 'Timestamp', description: 'UTC, YYYY-MM-DD HH:MM:SS', example: '2026-01-31 09:15:00' });

/** An id in a body: an integer, without coercion. */
export const bodyId = z
  .number('must be an integer')
  .int('must be an integer')
  .min(1, 'must be 1 or more')
  .max(MAX_ID, `must be at most ${MAX_ID}`);

/** A name: 1 to 255 characters after trimming, without control characters. */
export const nameText = filledLine(255, { isTrimmedFirst: true }).meta({ id: 'Name' });

/** Marks the schema of a text that an outsider wrote, for programs that pass it to a language model. */
export const untrusted = { 'x-untrusted': true };

/**
 * A length counts the white space around a line, as the API document does. The length of names does not, which the API document can't
 * express.
 */
interface LineOptions {
  isTrimmedFirst?: boolean;
}

/** One line of text, trimmed. Refuses CR, LF, NUL and other control characters, which could inject headers (RFC 5322 §2.2). */
export function singleLine(max: number, options: LineOptions = {}) {
  return lineOf(max, options).meta({ maxLength: max, pattern: LINE });
}

/** One line of text that is not empty. */
export function filledLine(max: number, { empty = 'must not be empty', ...options }: LineOptions & { empty?: string } = {}) {
  return lineOf(max, options)
    .refine((text) => text !== '', empty)
    .meta({ minLength: 1, maxLength: max, pattern: FILLED_LINE });
}

/** Counts characters as JSON Schema does, by code points. */
function isAtMost(max: number) {
  return (text: string) => text.length <= max || [...text].length <= max;
}

/** Text is stored composed (NFC), as it is typed and searched for. macOS writes `é` as two characters. */
function lineOf(max: number, { isTrimmedFirst = false }: LineOptions) {
  const text = z.string('must be a string').normalize('NFC');
  const tooLong = `at most ${max} characters`;
  return (isTrimmedFirst ? text.trim().refine(isAtMost(max), tooLong) : text.refine(isAtMost(max), tooLong).trim())
    .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), 'must not contain line breaks or control characters')
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode');
}

/** An email address. Callers check it with `emailAddress`, whose messages say more. */
export const emailText = lineOf(254, { isTrimmedFirst: true }).meta({
  id: 'EmailAddress',
  maxLength: 254,
  pattern: EMAIL,
  description: 'An email address',
});

/** An email address, or a domain as `@example.com`, checked with `addressOrDomain`. */
export const emailOrDomainText = lineOf(254, { isTrimmedFirst: true }).meta({
  id: 'EmailAddressOrDomain',
  maxLength: 254,
  pattern: EMAIL_OR_DOMAIN,
  description: 'An email address, or a domain as @example.com',
});

/** Maximum size of a body in bytes of UTF-8. */
export const MAX_HTML = 256 * 1024;

/** HTML: 1 byte to 256 KiB of UTF-8. */
export const htmlText = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .refine((text) => Buffer.byteLength(text) <= MAX_HTML, 'at most 256 KiB of UTF-8')
  .refine((text) => !text.includes('\0'), 'must not contain NUL')
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .meta({
    id: 'MessageBody',
    maxLength: MAX_HTML,
    pattern: WITHOUT_NUL,
    description: 'At most 256 KiB of UTF-8, 20,000 tags and 200 levels of tags; links go to http, https, mailto or tel',
  });

/** The SHA-256 of a file, as `sha256sum` prints it. */
export const sha256Text = z
  .string('must be a string')
  .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hexadecimal digits')
  .meta({
    id: 'Sha256',
    description: 'SHA-256 of the file, 64 lower-case hexadecimal digits',
    example: 'c8f7bfb717b4f87b93751a6ab929ec1840ac75f6c2b1d1282b385ab1a20659fb',
  });

/** A boolean in a body, without coercion. */
export const trueOrFalse = z.boolean('must be true or false');

/** An IANA time zone name. */
export const zoneName = z
  .string('must be a string')
  .max(64, 'at most 64 characters')
  .refine(isZoneName, {
    error: 'must be an IANA time zone such as Europe/Berlin',
  })
  .meta({
    id: 'TimeZone',
    description: 'Name of an IANA time zone, such as Europe/Berlin',
    // A getter, because only the OpenAPI document reads it.
    get pattern() {
      const byRegion = Map.groupBy(zoneNames(), (name) => name.slice(0, name.indexOf('/') + 1));
      const regions = [...byRegion].map(([region, names]) => `${region}(?:${names.map((name) => name.slice(region.length)).join('|')})`);
      return `^(?:${regions.join('|').replaceAll('+', '\\+')})$`;
    },
  });

/** A country or part of it whose public holidays are known. */
export const holidayRegion = z
  .string('must be a region such as DE or DE-BY')
  .superRefine((region, report) => {
    const fault = regionFault(region);
    if (fault !== null) report.addIssue({ code: 'custom', message: fault });
  })
  .meta({ id: 'HolidayRegion', pattern: REGION_PATTERN, description: 'Code of a country (ISO 3166-1) or part of it, such as DE or DE-BY' });

/** RFC 3339 §5.6. Its hours end at 23, but `Date.parse` accepts 24. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** The message for a time for which `isNearYear` is false. */
export const FAR_YEAR = 'must lie in the years 1900 to 2999';

/** The format of responses, which is UTC. */
const OWN_FORMAT = /^\d{4}-\d\d-\d\d ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** A timestamp in a request, in RFC 3339 with a zone or in the format of responses; parsed to a Date. */
export const instantText = z
  .string('must be a string')
  .transform((text) => (OWN_FORMAT.test(text) ? `${text.replace(' ', 'T')}Z` : text))
  .refine((text) => RFC_3339.test(text) && !Number.isNaN(Date.parse(text)) && isRealDay(text), {
    error:
      'must be an RFC 3339 timestamp with a zone, for example 2026-01-31T09:00:00Z (write + as %2B in a URL), or have the format of responses, 2026-01-31 09:00:00',
  })
  .refine(isNearYear, FAR_YEAR)
  .transform((text) => new Date(text))
  .meta({
    id: 'Instant',
    pattern: INSTANT,
    description: 'RFC 3339 with a zone, such as 2026-01-31T09:00:00Z, or the format of responses: YYYY-MM-DD HH:MM:SS, UTC',
  });

/**
 * A day in a request, `YYYY-MM-DD`.
 * @param error the message, which also says what else is accepted
 */
export const dayText = (error: string) => z.iso.date({ error }).refine(isNearYear, FAR_YEAR);

/**
 * True for a time of the years 1900 to 2999. Otherwise, times computed from it, such as the next opening of a window, could have a year of
 * more than four digits.
 */
export function isNearYear(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return year >= 1900 && year <= 2999;
}

/** `Date.parse` reads 30 February as 2 March; RFC 3339 §5.7 forbids it. */
function isRealDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
