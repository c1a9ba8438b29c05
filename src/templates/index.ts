export { Template } from './entities.ts';
export { isSignature, signatureHtml, signatureVersion } from './signature.ts';
export { withSnippets } from './snippets.ts';
export {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  setTemplateArchived,
  type TemplateRow,
} from './templates.ts';
export { templatesTrash } from './trash.ts';
export { TEMPLATE_TYPES } from './types.ts';
