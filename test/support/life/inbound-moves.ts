import { PollEnds } from '../../../src/campaigns/index.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { applyMessage } from '../../../src/inbound/apply.ts';
import { matchMessage } from '../../../src/inbound/match.ts';
import { readMessage } from '../../../src/mail/classify/read-message.ts';
import { keyOf, respelled } from './addresses.ts';
import { type Letter, type LetterWriter, rawLetter, type Subject } from './letters.ts';
import type { Email, Life } from './life.ts';
import { arrive, isReport } from './life-inbound.ts';
import type { Move } from './moves.ts';
import { out } from './sending-moves.ts';
import { SUBJECTS, type World } from './world.ts';

/** A letter, and the email that its author refers to. */
export interface Post {
  letter: Letter;
  about: number;
}

/** A poll of one account's mailbox, or of both, finds these letters, in this order. */
export const poll = (which: number | 'both', posts: readonly Post[]): Move => ({
  name: `poll of ${which === 'both' ? 'both accounts' : `account ${which}`}: ${posts.map(({ letter, about }) => `${letter.saying} by ${letter.writer} with ${letter.mark} about email ${about}`).join(', ')}`,
  isPossible: (life) => out(life, 0) !== undefined && mailboxesOf(which).every((index) => life.accounts[index]?.isDeleted === false),
  async inWorld(world, life) {
    world.clock.advance(MINUTE);
    // All are about emails that had left before the poll.
    const raws = posts.map(({ letter, about }) => {
      const email = out(life, about) as Email;
      return rawLetter(seen(letter, email), subjectOf(life, letter, email));
    });
    for (const index of mailboxesOf(which)) {
      const ends = new PollEnds(world.clock.now());
      for (const raw of raws) await deliver(world, index, ends, raw);
    }
  },
  inLife(life) {
    const abouts = posts.map(({ about }) => out(life, about) as Email);
    // D2.12: a message that reaches two of our mailboxes counts once.
    const known = new Set<Post>();
    for (const mailbox of mailboxesOf(which)) {
      life.poll++;
      for (const [index, post] of posts.entries()) {
        const about = abouts[index] as Email;
        const letter = seen(post.letter, about);
        const from = writersOf(life, about)[letter.writer];
        if (!known.has(post) && arrive(life, life.accounts[mailbox] as Life['accounts'][number], letter, about, from)) known.add(post);
        life.completeFinished();
      }
    }
  },
});

const mailboxesOf = (which: number | 'both'): number[] => (which === 'both' ? [0, 1] : [which]);

/** A copy that was not sent can't be answered. */
const seen = (letter: Letter, { copy }: Email): Letter => (letter.mark === 'copy' && copy === null ? { ...letter, mark: 'id' } : letter);

let uid = 0;

/** Does what the poller does with a fetched message. */
async function deliver({ app, clock, caller, ids }: World, which: number, ends: PollEnds, raw: string): Promise<void> {
  const accountId = ids.accounts[which] as number;
  const read = await readMessage(Buffer.from(raw));
  const match = await matchMessage(app, accountId, read.mail, read.result, clock.now());
  const folder = { path: 'INBOX', uidValidity: 1, uidNext: 0, exists: 1 };
  const found = { accountId, workspaceId: caller.workspaceId, folders: [], server: '', credentials: '', since: ends.since, ends, folder };
  await applyMessage(app, { ...found, message: { uid: ++uid, raw: Buffer.from(raw), receivedAt: null } }, { ...read, match });
}

/** Servers name addresses in A-labels. */
function subjectOf(life: Life, { mark, saying }: Letter, email: Email): Subject {
  const { messageId, address } =
    mark === 'copy' && email.copy !== null ? email.copy : { messageId: email.messageId, address: email.recipient };
  return {
    messageId,
    recipient: isReport(saying) ? keyOf(address) : address,
    name: email.enrolment.contact.name,
    senderEmail: email.account.email,
    subject: SUBJECTS[life.campaigns.indexOf(email.enrolment.campaign)] ?? '',
    sentAt: new Date(email.acceptedAt ?? email.permittedAt),
    from: writersOf(life, email),
  };
}

/** Returns the addresses of the people who may write about an email. */
function writersOf(life: Life, { recipient, enrolment: { contact } }: Email): Record<LetterWriter, string> {
  const company = recipient.slice(recipient.lastIndexOf('@'));
  const [one, two] = life.accounts;
  const domain = one?.email.split('@')[1] ?? '';
  return {
    ...{ contact: recipient, respelled: respelled(recipient), present: contact.address },
    ...{ namesake: `q17${company}`, colleague: `charles${company}`, boss: `chef@partner-${domain}` },
    peer: life.contacts[(life.contacts.indexOf(contact) + 1) % life.contacts.length]?.address ?? '',
    ...{ stranger: `mary@elsewhere-${domain}`, account: two?.email ?? '', 'own side': `xaver@${domain}` },
  };
}
