/** A template is the body of emails, a signature the text below one. */
export const TEMPLATE_TYPES = ['template', 'signature'] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];
