import { htmlPage } from '../html/page.ts';

/** The page at `/`, for people who open the address in a browser: what this server is, and where to look next. */
export const LANDING_PAGE = htmlPage(
  'Outreach',
  `<p>This is the server of an installation of Outreach, which runs email campaigns. It works for programs and for the command line; there is
nothing to log in to here.</p>
<ul>
<li><a href="/docs">Reference of the API</a>, which answers under <strong>/api/v1</strong> with an API key; also as
<a href="/api/v1/openapi.json">OpenAPI document</a> and, for language models, as <a href="/llms.txt">llms.txt</a></li>
<li>The manual comes with the program, in the folder <strong>docs</strong>; it begins with README.md. Every command explains itself:</li>
</ul>
<code>outreach help</code>
<p>With an API key, you can work from your own machine:</p>
<code>outreach login ADDRESS-OF-THIS-SERVER</code>
<p class="quiet">You got an email that you don't want? Use the link at its end, or reply and say so.</p>`,
);
