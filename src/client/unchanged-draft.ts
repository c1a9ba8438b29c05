import { conflict } from '../core/errors.ts';
import type { Client } from './create-client.ts';

/** Throws `conflict` if the text of a draft has changed since it was read, and `not_found` if the draft is gone. */
export async function requireUnchanged(api: Client, { id, body_text }: { id: number; body_text: string }): Promise<void> {
  const now = await api.draft.get.query({ id });
  if (now.body_text !== body_text)
    throw conflict(`somebody else has changed draft ${id} meanwhile; read it with: outreach reply show ${now.reply_id}`);
}
