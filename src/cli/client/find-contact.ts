import { emailAddress } from '../../core/email-address.ts';
import { notFound } from '../../core/errors.ts';
import { idIn } from '../argument.ts';
import type { Api } from './api.ts';
import { remember } from './names.ts';

/**
 * Finds the contact that an argument names by its id or its email address in any spelling, archived ones included, and returns its id;
 * undefined if the caller sees no contact with the address. Returns an id without looking it up.
 */
export async function findContact(api: Api, text: string): Promise<number | undefined> {
  const id = idIn(text);
  remember(api, async (other) => (id === undefined ? (await byAddress(other, text)) !== undefined : hasContact(other, id)));
  if (id !== undefined) return id;
  const found = await byAddress(api, text);
  if (found !== undefined) remember(api, undefined);
  return found;
}

async function byAddress(api: Api, text: string): Promise<number | undefined> {
  if (!text.includes('@')) return undefined;
  const email = emailAddress(text);
  const pages = await Promise.all([false, true].map((archived) => api.contacts.list.query({ email, archived, limit: 1 })));
  return pages.flatMap(({ data }) => data)[0]?.id;
}

const hasContact = (api: Api, id: number): Promise<boolean> =>
  api.contacts.get.query({ id }).then(
    () => true,
    () => false,
  );

/** The id of the contact that an argument names. Throws `not_found`. */
export async function contactIdOf(api: Api, text: string): Promise<number> {
  const id = await findContact(api, text);
  if (id === undefined) throw notFound(`contact "${text}"`);
  return id;
}
