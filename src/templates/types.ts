/** A template is the body of an email, a signature the text below it. */
export const TEMPLATE_TYPES = ['template', 'signature'] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];
