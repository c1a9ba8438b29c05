import { beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { changeContact } from '../../src/contacts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { unsubscribe } from '../../src/tracking/unsubscribe.ts';
import { testInstallation } from '../support/database.ts';
import { type Enrolled, insertCampaign, insertContact, insertEnrolment, insertMail, rowOf } from '../support/rows.ts';

let app: App;
const caller = operator(1);
beforeAll(async () => {
  ({ app } = await testInstallation());
});

let made = 0;
async function sent(enrolment: Record<string, unknown> = {}, email = `former-${++made}@somewhere.example`) {
  const contactId = await insertContact(app, { email });
  const who = await insertEnrolment(app, await insertCampaign(app), { contact_id: contactId, last_sent_step: 1, ...enrolment });
  return { ...who, email, outboxId: await insertMail(app, who) };
}
const stand = async ({ id }: Enrolled) => {
  const { status, stop_reason } = await rowOf<{ status: string; stop_reason: string | null }>(app, 'enrolments', id);
  return [status, stop_reason];
};
const suppressed = async (...emails: string[]) =>
  (
    await app.db.query<{ email: string }>(
      sql`select email from suppressions where email = any(${emails}::text[]) and removed_at is null order by email`,
    )
  ).map(({ email }) => email);
const events = ({ id }: Enrolled) =>
  app.db.query(sql`select type, step_order from events where enrolment_id = ${id} and type = 'unsubscribed'`);

describe('C1.2: the unsubscribe link after the contact’s address was changed', () => {
  it('ends the enrolment of that email, and suppresses the emailed address and the present one', async () => {
    const who = await sent();
    const present = `present-${made}@somewhere.example`;
    await changeContact(app, caller, who.contactId, { email: present });
    const elsewhere = await insertEnrolment(app, await insertCampaign(app), { contact_id: who.contactId });
    await unsubscribe(app, who.outboxId, null);
    expect(await stand(who)).toEqual(['stopped', 'unsubscribed']);
    expect(await stand(elsewhere)).toEqual(['stopped', 'suppressed']);
    expect(await suppressed(who.email, present)).toEqual([who.email, present]);
    expect(await events(who)).toEqual([{ type: 'unsubscribed', step_order: 1 }]);
  });

  it('also when one of the two was suppressed before', async () => {
    const who = await sent();
    await suppressAddress(app, caller, { email: who.email, reason: 'bounce' });
    const present = `present-${made}@somewhere.example`;
    await changeContact(app, caller, who.contactId, { email: present });
    await unsubscribe(app, who.outboxId, null);
    expect(await suppressed(who.email, present)).toEqual([who.email, present]);
  });
});

describe('B41: the event of an unsubscribe', () => {
  it('carries the last step sent, not the step of the email whose link was used, and is logged once', async () => {
    const who = await sent({ last_sent_step: 3, current_step: 4 });
    await Promise.all([unsubscribe(app, who.outboxId, null), unsubscribe(app, who.outboxId, null)]);
    await unsubscribe(app, who.outboxId, null);
    expect(await events(who)).toEqual([{ type: 'unsubscribed', step_order: 3 }]);
  });

  it('is not logged for an email that never was', async () => {
    expect(await unsubscribe(app, 999_999_999, null)).toBe(false);
  });
});
