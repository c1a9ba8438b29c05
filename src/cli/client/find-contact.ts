import { notFound } from '../../core/errors.ts';
import type { Api } from './api.ts';

/**
 * The id of the contact that an argument names by its id or its email address, archived ones included; undefined if the caller sees
 * none. Of contacts whose fields contain the address, the one that has it is found on the first page, unless hundreds do.
 */
export async function findContact(api: Api, text: string): Promise<number | undefined> {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  const wanted = text.trim().toLowerCase();
  for (const archived of [false, true]) {
    const { data } = await api.contacts.list.query({ q: wanted, archived, limit: 200 });
    const found = data.find(({ email }) => email.toLowerCase() === wanted);
    if (found !== undefined) return found.id;
  }
  return undefined;
}

/** The id of the contact that an argument names. Throws `not_found`. */
export async function contactIdOf(api: Api, text: string): Promise<number> {
  const id = await findContact(api, text);
  if (id === undefined) throw notFound(`contact "${text}"`);
  return id;
}
