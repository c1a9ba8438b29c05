import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { ACCOUNT_SETTINGS, type AccountSettings, DETAIL_SETTINGS, getAccountDetails, getDkim, PROVIDERS } from '../../accounts/index.ts';
import { dataOf, pathId, singleLine, timestampText, trueOrFalse, untrusted } from '../../fields/fields.ts';
import { schemasOf } from '../../fields/option-schema.ts';
import { countUnreadable, missedMessages, nextPollOf } from '../../inbound/index.ts';
import { loadSignIn, OAUTH_PROVIDERS } from '../../oauth/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { accountPassword, accountSchema, serverUrl } from './account-schema.ts';

const changes = () => import('./account-setup-changes.ts');
const tags = ['Sending accounts'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'accounts', ids.id ?? 0);
const byId = z.strictObject({ id: pathId });

const allSettings = schemasOf(ACCOUNT_SETTINGS);
const someSettings = z.strictObject(allSettings).partial();
/** Adds and removes single tags. The setting `tags` replaces them all: of two clients that each add a tag, one would lose its tag. */
const tagChange = z.strictObject({ add: allSettings.tags, remove: allSettings.tags });

const dkimRecord = z.object({
  name: z.string().meta({ example: 'outreach._domainkey.example.com' }),
  type: z.literal('TXT').meta({ example: 'TXT' }),
  value: z.string().meta({ example: 'v=DKIM1; k=rsa; p=MIIBIjANBg…' }),
  keep_until: z
    .string()
    .nullable()
    .meta({ description: 'When the record of a former key may be deleted (RFC 3339); null for a current one', example: null }),
});

const missedMessage = z.object({
  folder: z.string().meta({ example: 'INBOX' }),
  uid: z.number().int().meta({ example: 4711 }),
  reason: z.string().meta({ ...untrusted, example: 'FETCH INBOX: NO [UNAVAILABLE] Server error while fetching messages' }),
  retry_at: timestampText.nullable().meta({ description: 'When it is asked for again; null for one that is quarantined' }),
});

const details = z
  .object({
    ...schemasOf(DETAIL_SETTINGS),
    smtp: z.string().meta({ description: 'Server, port and user', example: 'smtp.example.com:465 zoe@example.com' }),
    imap: z.string().nullable().meta({ example: 'imap.example.com:993 zoe@example.com' }),
    smtp_url: z
      .string()
      .nullable()
      .meta({ description: 'The same as a URL, without a password', example: 'smtps://zoe%40example.com@smtp.example.com:465' }),
    imap_url: z.string().nullable().meta({ example: 'imaps://zoe%40example.com@imap.example.com:993' }),
    ramp_started_on: z.string().nullable().meta({ example: '2026-01-31' }),
    server_files_sent: z.boolean().nullable().meta({ description: 'The server files them itself, as was found out', example: true }),
    sent_copy_error: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: 'Why the last copy could not be filed', example: null }),
    next_batch_at: timestampText.nullable(),
    connection_error: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: 'Why the last connection to the SMTP server failed', example: null }),
    connect_after: timestampText.nullable().meta({ description: 'No email is sent before, since the connection failed', example: null }),
    last_polled_at: timestampText.nullable(),
    next_poll_at: timestampText.nullable().meta({ description: 'Null if its mailbox is not polled, or was never' }),
    poll_error: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: 'Why its mailbox could not be polled', example: null }),
    poll_warning: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: 'Folders beside INBOX that are missing or refused', example: null }),
    unreadable_messages: z.number().int().meta({ description: 'Messages in its mailbox that could not be read', example: 0 }),
    missed_messages: z.array(missedMessage).meta({ description: 'The latest of these, and those not given yet' }),
    dkim_records: z.array(dkimRecord).meta({ description: 'DNS records that its signatures need' }),
  })
  .meta({ id: 'AccountDetails' });

const login = z.object({
  host: z.string().meta({ example: 'smtp.example.com' }),
  port: z.number().int().meta({ example: 465 }),
  problem: z
    .string()
    .nullable()
    .meta({ ...untrusted, description: 'One line; null after a successful login', example: null }),
});

const tested = z
  .object({
    account_id: z.number().int(),
    email: z.string().meta({ example: 'zoe@example.com' }),
    ok: z.boolean().meta({ description: 'Both logins succeeded, and INBOX can be read', example: true }),
    smtp: login,
    imap: login
      .extend({
        warnings: z
          .array(z.string().meta(untrusted))
          .meta({ description: "Folders beside INBOX that are missing or can't be opened", example: [] }),
      })
      .nullable(),
    resumed: z.boolean().meta({ description: 'The account was paused by a provider error and is active again', example: false }),
  })
  .meta({ id: 'AccountTest' });

const provider = z.enum(PROVIDERS, `must be one of ${PROVIDERS.join(', ')}`);
const port = z.number().int().min(1).max(65_535);
const secretText = z.string().min(16).max(512);

const signedIn = z.strictObject({ answer: z.string().max(8_192), port, state: secretText, verifier: secretText });

const connection = z.strictObject({
  email: singleLine(254),
  provider: provider.default('smtp'),
  smtp_url: serverUrl.optional(),
  smtp_password: accountPassword.optional(),
  imap_url: serverUrl.optional(),
  imap_password: accountPassword.optional(),
  sign_in: signedIn.optional(),
  owner: singleLine(254).optional(),
  settings: someSettings.optional(),
});

/**
 * Connects accounts and changes their settings. The API under /api/v1 takes no credentials and can't change these settings, so
 * the procedures that do are served under /trpc only, for the program's own clients.
 */
export const accountSetupRouter = router({
  details: procedure
    .meta({
      openapi: { method: 'GET', path: '/accounts/{id}/details', tags, summary: 'Read the servers and further settings of an account' },
      target,
    })
    .input(byId)
    .output(details)
    .query(async ({ ctx: { app, caller }, input: { id } }) => {
      const found = await getAccountDetails(app.db, caller, id);
      const [unreadable, missed, dkim, next] = await Promise.all([
        countUnreadable(app.db, id),
        missedMessages(app.db, id),
        getDkim(app.db, caller, id),
        nextPollOf(app.db, id, app.clock.now()),
      ]);
      return { ...found, next_poll_at: next, unreadable_messages: unreadable, missed_messages: missed, dkim_records: dkim };
    }),

  test: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/test',
        tags,
        summary: 'Log in to the servers of an account and open its mailbox',
        description:
          'Opens INBOX and the other folders that are polled. If both servers let it in, an account that was paused by a provider error is resumed.',
      },
      access: 'write',
      callsOut: true,
      target,
    })
    .input(byId)
    .output(tested)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).testSendingAccount(app, caller, input.id)),

  set: procedure
    .meta({ access: 'write', target })
    .input(z.strictObject({ id: pathId, settings: someSettings, tags: tagChange.optional() }))
    .output(accountSchema)
    .mutation(async ({ ctx: { app, caller }, input }) =>
      (await changes()).setAccount(app, caller, input.id, input.settings as Partial<AccountSettings>, input.tags),
    ),

  /** Checks the folders of an account on its mail server, with a short deadline. */
  folderWarnings: procedure
    .meta({ access: 'write', target })
    .input(byId)
    .output(dataOf(z.string().meta(untrusted)))
    .query(async ({ ctx: { app, caller }, input }) => ({ data: await (await changes()).folderWarnings(app, caller, input.id) })),

  /** Turns signing on or off, and returns the account and the DNS records to publish. */
  setDkim: procedure
    .meta({ access: 'write', target })
    .input(
      z.strictObject({
        id: pathId,
        dkim: z
          .strictObject({
            domain: singleLine(255).optional(),
            selector: singleLine(255).optional(),
            key: z.string().max(20_000).optional(),
            ed25519: trueOrFalse.optional(),
          })
          .nullable(),
      }),
    )
    .output(dataOf(dkimRecord))
    .mutation(async ({ ctx: { app, caller }, input }) => ({ data: await (await changes()).setDkim(app, caller, input.id, input.dkim) })),

  /** Returns the URL to sign in at a provider, which redirects to a port on the user's machine. */
  signInAddress: procedure
    .meta({ access: 'connect' })
    .input(
      z.strictObject({
        email: singleLine(254),
        provider: z.enum(OAUTH_PROVIDERS),
        port,
        state: secretText,
        challenge: secretText,
        settings: someSettings.optional(),
      }),
    )
    .output(z.object({ url: z.string() }))
    .mutation(async ({ ctx: { app }, input: { settings: wanted, ...input } }) => {
      // Refuse invalid requests before the user signs in.
      const { checkConnect } = await changes();
      const email = checkConnect({ email: input.email, settings: (wanted ?? {}) as Partial<AccountSettings> });
      const { signInAddress } = await loadSignIn();
      return { url: signInAddress(app, input.provider, { ...input, email }).href };
    }),

  connect: procedure
    .meta({ access: 'connect', callsOut: true })
    .input(connection)
    .output(accountSchema)
    .mutation(async ({ ctx: { app, caller }, input }) =>
      (await changes()).connectSendingAccount(app, caller, { ...input, settings: input.settings as Partial<AccountSettings> | undefined }),
    ),
});
