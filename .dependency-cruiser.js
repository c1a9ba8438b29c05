import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** The folders of the program, in the order of ARCHITECTURE.md: each may import those above it. */
const FOLDERS = [
  ...['migrations/', 'src/core/', 'src/html/', 'src/files/', 'src/fields/', 'src/editor/', 'src/secrets/', 'src/db/'],
  ...['src/mail/phrases/', 'src/mail/replies/', 'src/mail/opt-outs/lexicons/', 'src/mail/opt-outs/(?!lexicons)'],
  ...['src/mail/(?!phrases|replies|opt-outs|classify)', 'src/mail/classify/', 'src/app[.]ts', 'src/daemons/'],
  ...['src/oauth/', 'src/access/', 'src/jobs/', 'src/mail-domains/', 'src/uploads/', 'src/webhooks/', 'src/contacts/', 'src/templates/'],
  ...[
    'src/accounts/',
    'src/health/',
    'src/outbox/',
    'src/events/',
    'src/campaigns/',
    'src/replies/',
    'src/reports/',
    'src/campaign-files/',
  ],
  ...['src/sending/', 'src/inbound/', 'src/tracking/', 'src/monitoring/', 'src/live/', 'src/summaries/', 'src/maintenance/'],
  ...['src/api/(?!routers)', 'src/api/routers/', 'src/mcp/', 'src/http/', 'src/main/'],
  ...['src/client/', 'src/terminal/', 'src/dashboard/', 'src/doctor/', 'src/demo/', 'src/cli/', 'commands/'],
];
const ROOMS = globSync(['src/*/index.ts', 'src/mail/classify/index.ts']).map((file) => `${dirname(file)}/`);
const under = (folders) => `^(${folders.join('|')})`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...FOLDERS.slice(0, -1).map((folder, index) => ({
      name: `${folder} imports only from the folders above it`,
      severity: 'error',
      from: { path: under([folder]) },
      to: { path: under(FOLDERS.slice(index + 1)) },
    })),
    {
      name: 'every folder has its place',
      severity: 'error',
      from: { path: '^(src|commands|migrations)/', pathNot: under(FOLDERS) },
      to: {},
    },
    { name: 'no circle of files', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no circle of folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    {
      name: 'a folder with an index.ts is entered through it, or that of a folder in it',
      severity: 'error',
      from: { path: '^(src/[^/]+|commands|migrations)/' },
      to: { path: under(ROOMS), pathNot: ['^$1/', '/index[.]ts$'] },
    },
    {
      name: 'import() names a module, not an index.ts, which would load all of its folder; one command works with all of these',
      severity: 'error',
      from: {},
      to: {
        dynamic: true,
        path: '^src/.*/index[.]tsx?$',
        pathNot: '^src/(api/routers|contacts/import|dashboard|doctor|jobs/mongo|mail/classify)/',
      },
    },
    {
      name: 'routers and commands hold no SQL and no entities',
      severity: 'error',
      from: { path: '^(src/api/routers|commands)/' },
      to: { path: '^src/db/(statement|transaction|bulk|entity-manager)[.]ts$|^node_modules/@mikro-orm/' },
    },
    { name: 'every import is found', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    // TypeScript 7.0 offers no parser to other programs.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
