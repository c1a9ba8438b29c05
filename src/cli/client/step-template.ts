import type { Api } from './api.ts';
import { idOf } from './names.ts';

interface Content {
  body_html?: string | undefined;
  subject?: string | undefined;
}

/** Fills in the body and the subject of a step from the template that --template names, where the flags give none. */
export async function withTemplate<Step extends Content>(api: Api, name: string | undefined, step: Step): Promise<Step> {
  if (name === undefined) return step;
  const { body_html, subject } = await api.templates.get.query({ id: await idOf(api, 'template', name) });
  return { ...step, body_html: step.body_html ?? body_html, subject: step.subject ?? subject ?? undefined };
}
