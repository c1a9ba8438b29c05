import { restoreFromTrash } from '../../../src/access/trash.ts';
import { holdEnrolments } from '../../../src/campaigns/enrolments/hold.ts';
import {
  activateCampaign,
  addStep,
  archiveAccount,
  archiveCampaign,
  archiveContact,
  changeCampaign,
  changeStep,
  deleteAccount,
  deleteCampaign,
  deleteContact,
  deleteStep,
  enrol,
  pauseAccount,
  pauseCampaign,
  resumeAccount,
  resumeEnrolment,
  stopEnrolment,
  suppressAddress,
  unarchiveAccount,
  unarchiveCampaign,
  unarchiveContact,
} from '../../../src/campaigns/index.ts';
import { changeContact, removeSuppression } from '../../../src/contacts/index.ts';
import { DAY } from '../../../src/core/clock.ts';
import { trashKinds } from '../../../src/maintenance/trash-kinds.ts';
import { unsubscribe as unsubscribeByLink } from '../../../src/tracking/index.ts';
import { mailboxOf } from './addresses.ts';
import type { Campaign, Life } from './life.ts';
import { liveSteps } from './life.ts';
import * as changes from './life-changes.ts';
import type { Move } from './moves.ts';
import { out } from './sending-moves.ts';
import { type Beginning, CORRECTED, SUBJECTS } from './world.ts';

/** Moves of people: on contacts, campaigns, accounts and steps. */

const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

export type CampaignVerb = 'activate' | Parameters<typeof changes.setCampaign>[1];

const CAMPAIGN_VERBS = {
  pause: pauseCampaign,
  archive: archiveCampaign,
  unarchive: unarchiveCampaign,
  delete: deleteCampaign,
};

export const campaignMove = (which: number, verb: CampaignVerb): Move => ({
  name: `${verb} campaign ${which}`,
  inWorld({ app, caller, ids }) {
    const id = at(ids.campaigns, which);
    if (verb === 'restore') return restoreFromTrash(app, caller, trashKinds, 'campaigns', id);
    return verb === 'activate' ? activateCampaign(app, caller, id, null) : CAMPAIGN_VERBS[verb](app, caller, id);
  },
  inLife(life) {
    const campaign = at(life.campaigns, which);
    return verb === 'activate' ? changes.activate(life, campaign) : changes.setCampaign(campaign, verb);
  },
});

const ACCOUNT_VERBS = {
  pause: pauseAccount,
  resume: resumeAccount,
  archive: archiveAccount,
  unarchive: unarchiveAccount,
  delete: deleteAccount,
};

export const accountMove = (which: number, verb: changes.AccountVerb): Move => ({
  name: `${verb} account ${which}`,
  inWorld({ app, caller, ids }) {
    const id = at(ids.accounts, which);
    return verb === 'restore' ? restoreFromTrash(app, caller, trashKinds, 'accounts', id) : ACCOUNT_VERBS[verb](app, caller, id);
  },
  inLife: (life) => changes.setAccount(life, at(life.accounts, which), verb),
});

export const changeAccount = (campaign: number, account: number): Move => ({
  name: `campaign ${campaign} gets account ${account}`,
  inWorld: ({ app, caller, ids }) => changeCampaign(app, caller, at(ids.campaigns, campaign), { account_id: at(ids.accounts, account) }),
  inLife: (life) => changes.changeAccount(at(life.campaigns, campaign), at(life.accounts, account)),
});

export const changeReplyTo = (campaign: number, which: Beginning['replyTo']): Move => ({
  name: `campaign ${campaign} has its replies go to ${which}`,
  inWorld: ({ app, caller, ids, replyAddress }) =>
    changeCampaign(app, caller, at(ids.campaigns, campaign), { reply_to: replyAddress(which) }),
  inLife: (life, { world }) => changes.changeReplyTo(at(life.campaigns, campaign), world.replyAddress(which)),
});

export type ContactVerb = Parameters<typeof changes.setContact>[2];
const CONTACT_VERBS = { archive: archiveContact, unarchive: unarchiveContact, delete: deleteContact };

export const contactMove = (which: number, verb: ContactVerb): Move => ({
  name: `${verb} contact ${which}`,
  inWorld({ app, caller, ids }) {
    const id = at(ids.contacts, which);
    return verb === 'restore' ? restoreFromTrash(app, caller, trashKinds, 'contacts', id) : CONTACT_VERBS[verb](app, caller, id);
  },
  inLife: (life) => changes.setContact(life, at(life.contacts, which), verb),
});

/** The successive addresses of a contact: at the company, corrected, and at another one. */
const ADDRESSES = [['ada', 'acme'], CORRECTED, ['ada', 'home'], ['ADA+new', 'acme']] as const;

export const editAddress = (which: number, to: number): Move => ({
  name: `contact ${which} gets address ${to}`,
  isPossible: (life) => which !== 0 || !at(life.contacts, 0).isDeleted,
  async inWorld({ app, caller, ids, address }) {
    const [name, company] = at(ADDRESSES, to);
    await changeContact(app, caller, at(ids.contacts, 0), { email: address(name, company) });
  },
  inLife(life, { world }) {
    const [name, company] = at(ADDRESSES, to);
    at(life.contacts, 0).address = world.address(name, company);
  },
});

export const suppressMove = (which: number, isRemoval: boolean): Move => ({
  name: `${isRemoval ? 'lift the suppression of' : 'suppress'} contact ${which}`,
  inWorld({ app, caller }, life) {
    const { address } = at(life.contacts, which);
    return isRemoval ? removeSuppression(app, caller, address) : suppressAddress(app, caller, { email: address, reason: null });
  },
  inLife(life) {
    const { address } = at(life.contacts, which);
    if (isRemoval) return life.suppressions.delete(mailboxOf(address));
    life.suppress(address, 'stopped');
    return true;
  },
});

export const enrolMove = (campaign: number, which: number): Move => ({
  name: `enrol contact ${which} in campaign ${campaign}`,
  inWorld: ({ app, caller, ids }) => enrol(app, caller, at(ids.campaigns, campaign), { contact_ids: [at(ids.contacts, which)] }),
  inLife(life, { world }) {
    const [into, contact] = [at(life.campaigns, campaign), at(life.contacts, which)];
    if (into.isDeleted) return false;
    changes.enrol(life, into, contact, world.enrolmentId(into.id, contact.id));
    return true;
  },
});

const findEnrolment = (life: Life, which: number) => at(life.enrolments, which);

export const enrolmentMove = (which: number, verb: 'stop' | 'resume'): Move => ({
  name: `${verb} enrolment ${which}`,
  inWorld: ({ app, caller }, life) =>
    verb === 'stop'
      ? stopEnrolment(app, caller, findEnrolment(life, which).id)
      : resumeEnrolment(app, caller, findEnrolment(life, which).id),
  inLife(life) {
    const enrolment = findEnrolment(life, which);
    if (verb === 'resume') return changes.resume(life, enrolment);
    if (enrolment.campaign.isDeleted || enrolment.contact.isDeleted) return false;
    life.end(enrolment, 'stopped');
    return true;
  },
});

/** A person may set any hold, a shorter one too. */
export const hold = (which: number, days: number): Move => ({
  name: `hold enrolment ${which} for ${days} days`,
  inWorld: ({ app, caller, clock }, life) =>
    app.db.tx((tx) =>
      holdEnrolments(tx, app, caller, [findEnrolment(life, which).id], {
        until: new Date(clock.now().getTime() + days * DAY),
        reason: 'asked by phone',
      }),
    ),
  inLife(life) {
    const enrolment = findEnrolment(life, which);
    if (enrolment.status === 'active') Object.assign(enrolment, { heldUntil: life.now + days * DAY, awayUntil: null });
  },
});

export const appendStep = (which: number, kind: 'email' | 'call', days: number): Move => ({
  name: `append ${kind} after ${days} days to campaign ${which}`,
  isPossible: (life) => at(life.campaigns, which).steps.length < 6,
  async inWorld(world) {
    const texts = { subject: at(SUBJECTS, which), body_html: '<p>More</p>', subject_b: null, body_html_b: null };
    const { id } = await addStep(world.app, world.caller, at(world.ids.campaigns, which), { ...texts, kind, wait_days: days });
    world.newStep = id;
  },
  inLife: (life, { world }) => changes.addStep(life, at(life.campaigns, which), { id: world.newStep, kind, wait: days, isLive: true }),
});

const liveStep = (campaign: Campaign, which: number) => at(liveSteps(campaign), which);
const hasSteps = (campaign: number) => (life: Life) => liveSteps(at(life.campaigns, campaign)).length > 0;

export const removeStep = (campaign: number, which: number): Move => ({
  name: `delete step ${which} of campaign ${campaign}`,
  isPossible: hasSteps(campaign),
  inWorld: ({ app, caller }, life) =>
    deleteStep(app, caller, at(life.campaigns, campaign).id, liveStep(at(life.campaigns, campaign), which).id),
  inLife: (life) => changes.deleteStep(life, at(life.campaigns, campaign), liveStep(at(life.campaigns, campaign), which)),
});

/** @param days the new wait; null for a new text */
export const editStep = (campaign: number, which: number, days: number | null): Move => ({
  name: `step ${which} of campaign ${campaign} gets ${days === null ? 'another text' : `a wait of ${days} days`}`,
  isPossible: hasSteps(campaign),
  inWorld(world, life) {
    const patch = days === null ? { body_html: `<p>${world.nextText()}</p>` } : { wait_days: days };
    return changeStep(world.app, world.caller, at(life.campaigns, campaign).id, liveStep(at(life.campaigns, campaign), which).id, patch);
  },
  inLife(life) {
    const own = at(life.campaigns, campaign);
    if (own.isDeleted) return false;
    const step = liveStep(own, which);
    if (days === null) changes.changeText(life, own, step);
    else if (step.wait !== days) {
      step.wait = days;
      changes.reschedule(life, own, step);
    }
    return true;
  },
});

export const unsubscribe = (which: number): Move => ({
  name: `unsubscribe by the link of email ${which}`,
  isPossible: (life) => out(life, which) !== undefined,
  inWorld: ({ app }, life) => unsubscribeByLink(app, out(life, which)?.id ?? 0, null),
  inLife: (life) => void changes.unsubscribe(life, out(life, which) as NonNullable<ReturnType<typeof out>>),
});
