import { Document, isSeq, Scalar, visit } from 'yaml';
import type { DeclaredCampaign } from './schema.ts';

/** Writes a campaign as YAML 1.2, with its keys in the order of the documentation. Reading it again gives the same campaign. */
export function campaignYaml(campaign: DeclaredCampaign): string {
  const document = new Document(campaign);
  visit(document, {
    Scalar: (_key, node) => {
      // Otherwise a block whose first line is blank or begins with a space would be read differently.
      if (typeof node.value === 'string' && /^\n*[ \t]/.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      return undefined;
    },
    Collection: (_key, node, path) => {
      // Short lists and groups of settings go on one line, as people write them; steps go one below another.
      if (path.length > 1 && isSeq(node) && node.items.length <= 7)
        node.flow = node.items.every((item) => String(item).length < 40 && !/[\n{]/.test(String(item)));
      return undefined;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
