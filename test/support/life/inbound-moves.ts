import { PollEnds } from '../../../src/campaigns/index.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { applyMessage } from '../../../src/inbound/apply.ts';
import { matchMessage } from '../../../src/inbound/match.ts';
import { readMessage } from '../../../src/mail/classify/read-message.ts';
import { type Letter, type LetterWriter, rawLetter, type Subject } from './letters.ts';
import type { Email, Life } from './life.ts';
import { arrive } from './life-inbound.ts';
import type { Move } from './moves.ts';
import { out } from './sending-moves.ts';
import { SUBJECTS, type World } from './world.ts';

/** A letter, and the email that its author means. */
export interface Post {
  letter: Letter;
  about: number;
}

/** One poll of the mailbox of an account finds these letters, in this order. */
export const poll = (which: number, posts: readonly Post[]): Move => ({
  name: `poll of account ${which}: ${posts.map(({ letter, about }) => `${letter.saying} by ${letter.writer} with ${letter.mark} about email ${about}`).join(', ')}`,
  isPossible: (life) => out(life, 0) !== undefined && life.accounts[which]?.isDeleted === false,
  async inWorld(world, life) {
    world.clock.advance(MINUTE);
    const ends = new PollEnds(world.clock.now());
    // All are about emails that were out before the poll.
    for (const { letter, about } of posts) await deliver(world, which, ends, rawLetter(letter, subjectOf(life, out(life, about) as Email)));
  },
  inLife(life) {
    const abouts = posts.map(({ about }) => out(life, about) as Email);
    life.poll++;
    for (const [index, { letter }] of posts.entries()) {
      const about = abouts[index] as Email;
      arrive(life, life.accounts[which] as Life['accounts'][number], letter, about, writersOf(life, about)[letter.writer]);
      life.completeFinished();
    }
  },
});

let uid = 0;

/** What the poller does with a message that it has fetched. */
async function deliver({ app, clock, caller, ids }: World, which: number, ends: PollEnds, raw: string): Promise<void> {
  const accountId = ids.accounts[which] as number;
  const read = await readMessage(Buffer.from(raw));
  const match = await matchMessage(app, accountId, read.mail, read.result, clock.now());
  const folder = { path: 'INBOX', uidValidity: 1, uidNext: 0, isEmpty: false };
  const found = { accountId, workspaceId: caller.workspaceId, folders: [], server: '', credentials: '', since: ends.since, ends, folder };
  await applyMessage(app, { ...found, message: { uid: ++uid, raw: Buffer.from(raw), receivedAt: null } }, { ...read, match });
}

function subjectOf(life: Life, email: Email): Subject {
  return {
    messageId: email.messageId,
    recipient: email.recipient,
    senderEmail: email.account.email,
    subject: SUBJECTS[life.campaigns.indexOf(email.enrolment.campaign)] ?? '',
    sentAt: new Date(email.acceptedAt ?? email.permittedAt),
    from: writersOf(life, email),
  };
}

/** The addresses of those who may write about an email. */
function writersOf(life: Life, { recipient, enrolment: { contact } }: Email): Record<LetterWriter, string> {
  const company = recipient.slice(recipient.indexOf('@'));
  const [one, two] = life.accounts;
  const domain = one?.email.split('@')[1] ?? '';
  return {
    ...{ contact: recipient, present: contact.address, colleague: `charles${company}` },
    peer: life.contacts[(life.contacts.indexOf(contact) + 1) % life.contacts.length]?.address ?? '',
    ...{ stranger: `mary@elsewhere-${domain}`, account: two?.email ?? '', 'own side': `xaver@${domain}` },
  };
}
