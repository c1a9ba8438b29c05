import { z } from 'zod';
import { CAMPAIGN_OPTIONS, HOURS } from '../campaigns/index.ts';
import { CAUSE, causeOf } from '../core/cause-text.ts';
import { WAIT, WAIT_PATTERN, waitFault } from '../core/wait-text.ts';
import { filledLine, htmlText, nameText, sha256Text, singleLine, zoneName } from '../fields/fields.ts';
import { schemasOf } from '../fields/option-schema.ts';
import { MAX_ATTACHMENTS } from '../uploads/attachments.ts';

export const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const MAX_STEPS = 50;

/** A label of 1 to 50 characters, as a pattern for the API document. */
const LABEL = String.raw`[^\s\x00-\x1f\x7f-\x9f](?:[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,48}[^\s\x00-\x1f\x7f-\x9f])?`;

const hours = z
  .string(HOURS.fault)
  .regex(HOURS.pattern, HOURS.fault)
  .refine((text) => new Set(text.split('-')).size === 2, 'the two hours must differ; use 0-24 for the whole day')
  .meta({
    id: 'SendingHours',
    description: 'First and last hour of the sending window; 22-6 ends on the next day',
    example: '9-17',
    pattern: HOURS.documented,
  });

const wait = z
  .string(WAIT)
  .superRefine((text, report) => {
    const fault = waitFault(text);
    if (fault !== null) report.addIssue({ code: 'custom', message: fault });
  })
  .meta({
    description: 'Time since the step before: days, business days or hours, or days and hours',
    example: '3 days',
    pattern: WAIT_PATTERN,
  });

const subject = singleLine(500).meta({
  id: 'StepSubject',
  description: 'Used by step 1; later steps reply in the same thread',
  example: 'A question, {{first_name}}',
});
const body = htmlText.meta({ description: 'HTML', example: '<p>Hello {{first_name}}, …</p>' });
const text = htmlText.meta({
  description: 'Paragraphs of plain text, separated by empty lines, instead of body',
  example: 'Hello {{first_name}}, …',
});
const bodyFile = singleLine(1_000).pipe(z.string().min(1, 'must not be empty')).meta({
  description: 'Path of a file beside this one with the body: HTML, or paragraphs of plain text in a .txt file',
  example: 'step1.html',
});
const call = htmlText.meta({
  description: 'Notes for the person who calls; the step is a call instead of an email',
  example: 'Ask for {{name}}',
});

/** An uploaded file. Exported campaigns name their files in this form. */
const uploadedFile = z.strictObject({ name: filledLine(200), sha256: sha256Text });
const filePath = singleLine(1_000).pipe(z.string().min(1, 'must not be empty'));
const ATTACHMENTS = 'Files that go with the emails of the step, in both groups: at most 10, of 15 MiB in all';
const attachmentsOf = <Item extends z.ZodType>(item: Item, example: unknown) =>
  z
    .array(item, 'must be a list of files')
    .max(MAX_ATTACHMENTS, `at most ${MAX_ATTACHMENTS} files`)
    .optional()
    .meta({ description: ATTACHMENTS, example: [example] });

const written = { subject: subject.optional(), body: body.optional(), text: text.optional() };
const withFile = { ...written, body_file: bodyFile.optional() };
const stepOnly = { wait: wait.optional(), call: call.optional() };

type Content = { subject?: string; body?: string; text?: string; body_file?: string };
type Step = Content & { wait?: string; call?: string; attachments?: unknown[]; b?: Content };
type Report = { addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void };

const BODIES = ['body', 'text', 'body_file'] as const;
const bodiesOf = (content: Content) => BODIES.filter((name) => content[name] !== undefined);

function checkStep(step: Step, report: Report): void {
  const add = (path: PropertyKey[], message: string) => report.addIssue({ code: 'custom', path, message });
  if (step.call !== undefined) {
    for (const key of ['subject', ...BODIES, 'attachments', 'b'] as const) if (step[key] !== undefined) add([key], 'a call has notes only');
    return;
  }
  const [first, second] = bodiesOf(step);
  if (first === undefined) add([], 'needs a body, a text or a call');
  if (second !== undefined) add([second], `give ${first} or ${second}, not both`);
  const [firstOfB, secondOfB] = bodiesOf(step.b ?? {});
  if (secondOfB !== undefined) add(['b', secondOfB], `give ${firstOfB} or ${secondOfB}, not both`);
  if (step.b !== undefined && firstOfB === undefined && step.b.subject === undefined) add(['b'], 'needs a subject or a body');
}

function checkSteps(steps: readonly Step[], report: Report): void {
  if (steps[0]?.call !== undefined) report.addIssue({ code: 'custom', path: [0, 'call'], message: "step 1 can't be a call" });
}

const stepWith = <Shape extends typeof written, Attachments extends z.ZodType>(content: Shape, attachments: Attachments) =>
  z.strictObject({
    ...stepOnly,
    ...content,
    attachments,
    b: z.strictObject(content).optional().meta({ description: 'What group B of the A/B test gets' }),
  });

const EXAMPLE = { name: 'prices.pdf', sha256: 'c8f7bfb717b4f87b93751a6ab929ec1840ac75f6c2b1d1282b385ab1a20659fb' };

const step = stepWith(written, attachmentsOf(uploadedFile, EXAMPLE))
  .superRefine((value, report) => checkStep(value as Step, report as Report))
  .meta({ id: 'CampaignFileStep' });
const pathOrFile = z.union([filePath.meta({ description: 'Path of a file beside this one' }), uploadedFile], 'must be the path of a file');
const stepOfFile = stepWith(withFile, attachmentsOf(pathOrFile, 'prices.pdf')).superRefine((value, report) =>
  checkStep(value as Step, report as Report),
);

const isEachOnce = (values: readonly string[]) => new Set(values.map((value) => value.toLowerCase())).size === values.length;

/** Separates the options with keys of their own, or under another key of the file, from all others. */
const { cc, bcc, track_opens, track_clicks, list_id: _, more_hours: __, ...options } = schemasOf(CAMPAIGN_OPTIONS);
const { list_id, subsequences } = CAMPAIGN_OPTIONS;

const settings = {
  name: nameText.meta({ description: 'Finds the campaign; one of a new name is created', example: 'Spring fair' }),
  accounts: z
    .array(singleLine(254), 'must be a list of addresses')
    .min(1, 'at least one account')
    .max(200, 'at most 200 accounts')
    .refine(isEachOnce, 'names an account twice')
    .meta({ description: 'Addresses of the accounts that send; several make a rotation group', example: ['zoe@example.com'] })
    .optional(),
  timezone: zoneName.optional(),
  days: z
    .array(z.enum(DAY_NAMES), 'must be a list of days')
    .min(1, 'at least one day')
    .max(7, 'at most 7 days')
    .meta({ example: ['mon', 'tue', 'wed', 'thu', 'fri'] })
    .optional(),
  hours: z
    .union([hours, z.array(hours, HOURS.fault).min(1, 'at least one window').max(6, 'at most 6 windows')], HOURS.fault)
    .optional()
    .meta({ description: 'Sending hours; several windows a day as a list', example: '9-17' }),
  starts_at: z
    .string('must be a time such as 2026-12-01 09:00')
    .max(40, 'at most 40 characters')
    .nullable()
    .optional()
    .meta({ description: 'Planned start of a draft, in its time zone, or RFC 3339 with a zone', example: '2026-12-01 09:00' }),
  ab_test: z
    .strictObject({
      split: z
        .number('must be an integer')
        .int('must be an integer')
        .min(1, 'must be 1 or more')
        .max(99, 'must be at most 99')
        .optional()
        .meta({ description: 'Percentage of contacts in group A', example: 50 }),
      hours_b: hours.nullable().optional(),
    })
    .nullable()
    .optional()
    .meta({ description: 'null: no A/B test' }),
  reply_to: singleLine(254).nullable().optional(),
  cc: cc.optional(),
  bcc: bcc.optional(),
  list: nameText
    .nullable()
    .optional()
    .meta({ description: `${list_id.text}; its name, or null for none`, example: 'Newsletter' }),
  subsequences: z
    .array(
      z.strictObject({
        on: singleLine(60)
          .refine((value) => causeOf(value) !== undefined, CAUSE)
          .meta({
            description: 'Cause: replied, opened, clicked, finished, or label and the label',
            example: 'label interested',
            pattern: `^(?:replied|opened|clicked|finished|label +${LABEL})$`,
          }),
        wait_days: z
          .number('must be an integer')
          .int('must be an integer')
          .min(0, 'must be 0 or more')
          .max(365, 'must be at most 365')
          .optional()
          .meta({ description: 'Days from the cause to the enrolment', example: 3 }),
        campaign: nameText.meta({ description: 'Name of the campaign that the contact is enrolled in', example: 'Demo' }),
      }),
      'must be a list of subsequences',
    )
    .max(subsequences.most, `at most ${subsequences.most}`)
    .optional()
    .meta({ description: subsequences.text }),
  track: z.strictObject({ opens: track_opens.optional(), clicks: track_clicks.optional() }).optional(),
  options: z.strictObject(options).partial().optional(),
};
const contacts = z
  .strictObject({ list: nameText.meta({ description: 'Name of a list, whose contacts are enrolled', example: 'Spring fair' }) })
  .optional();

const stepsOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, 'must be a list of steps')
    .max(MAX_STEPS, `at most ${MAX_STEPS} steps`)
    .superRefine((steps, report) => checkSteps(steps as Step[], report as Report))
    .optional();

/** A campaign as the API accepts and returns it: a file whose bodies have been read. */
export const declaredCampaign = z.strictObject({ ...settings, steps: stepsOf(step), contacts }).meta({
  id: 'CampaignFile',
  example: {
    ...{ name: 'Spring fair', accounts: ['zoe@example.com'], timezone: 'Europe/Berlin', hours: '9-17' },
    steps: [
      { subject: 'A question, {{first_name}}', body: '<p>Hello {{first_name}}, …</p>' },
      { wait: '3 days', body: '<p>Did you see my email?</p>' },
    ],
  },
});
export type DeclaredCampaign = z.infer<typeof declaredCampaign>;
export type DeclaredStep = NonNullable<DeclaredCampaign['steps']>[number];

/** A campaign as a person writes it into a file. docs/campaign.schema.json is this schema as JSON Schema. */
export const campaignFile = z.strictObject({ ...settings, steps: stepsOf(stepOfFile), contacts });
export type CampaignFile = z.infer<typeof campaignFile>;
