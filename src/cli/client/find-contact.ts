import { emailAddress, isSameAddress } from '../../core/email-address.ts';
import { notFound } from '../../core/errors.ts';
import { idIn } from '../argument.ts';
import type { Api } from './api.ts';

/**
 * The id of the contact that an argument names by its id or its email address in any spelling, archived ones included; undefined if the caller
 * sees none. It is among the first 200 at its domain whose address contains its local part.
 */
export async function findContact(api: Api, text: string): Promise<number | undefined> {
  const id = idIn(text);
  if (id !== undefined) return id;
  if (!text.includes('@')) return undefined;
  const wanted = emailAddress(text);
  const [local, domain] = [wanted.slice(0, wanted.lastIndexOf('@') + 1), wanted.slice(wanted.lastIndexOf('@') + 1)];
  const { data } = await api.search.search.query({ q: `domain:"${domain}" email:"${local}" archived:any`, limit: 200 });
  return data.find(({ email }) => isSameAddress(email, wanted))?.id;
}

/** The id of the contact that an argument names. Throws `not_found`. */
export async function contactIdOf(api: Api, text: string): Promise<number> {
  const id = await findContact(api, text);
  if (id === undefined) throw notFound(`contact "${text}"`);
  return id;
}
