/** The CSS of a report's page in addition to that of every page: pictures, tables, and A4 on paper. */
export const STYLE = `
:root { --a: var(--accent); --b: #a8410a; --bar: #86a8dd; font-size: 1rem; line-height: 1.5; }
@media (prefers-color-scheme: dark) { :root { --b: #f0a36b; --bar: #4f6fa3; } }
main { max-width: 72rem; }
:is(p, figure) { max-width: 61rem; }
h1 { font-size: 1.75rem; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
p { margin: .5rem 0; }
caption, small { color: var(--quiet); }
figure { margin: 1rem 0; }
.logo { display: block; max-width: 12rem; max-height: 4rem; margin: 0 0 1rem; }
svg { display: block; width: 100%; height: auto; font-size: 13px; }
svg text { fill: var(--ink); }
svg .head { font-weight: 600; }
svg .a { fill: var(--a); }
svg .b { fill: var(--b); }
svg .bar { fill: var(--bar); }
svg .line { fill: none; stroke-width: 2; }
svg .opened { stroke: var(--a); }
svg .replied { stroke: var(--b); stroke-dasharray: 5 3; }
svg .grid { stroke: var(--rule); }
svg .interval { stroke: var(--a); stroke-width: 2; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--a); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .8125rem; font-variant-numeric: tabular-nums; }
caption { text-align: start; padding: .25rem 0; }
th, td { padding: .3rem .4rem; border-block-end: 1px solid var(--rule); text-align: end; vertical-align: top; font-weight: 400; }
th[scope=row] { text-align: start; overflow-wrap: anywhere; min-width: 11rem; }
thead th { font-weight: 600; }
thead th:first-child { text-align: start; }
div:not(.narrow) > table tbody tr:last-child > * { font-weight: 600; }
.narrow table { width: auto; min-width: min(100%, 28rem); margin-block-end: 1rem; }
.words :is(th, td) { text-align: start; }
td small { display: block; white-space: nowrap; font-weight: 400; font-size: .6875rem; }
@media screen and (max-width: 74rem) {
  .figures thead { position: absolute; clip-path: inset(50%); }
  .figures tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(6rem, 1fr)); padding: .4rem 0; border-block-end: 1px solid var(--rule); }
  .figures :is(th, td) { padding: .1rem 0; border: 0; text-align: start; }
  .figures th { grid-column: 1 / -1; font-size: .875rem; font-weight: 600; }
  .figures tr:not(:last-child) td:nth-of-type(n + 7) { display: none; }
  .figures td::before { content: attr(data-name); display: block; color: var(--quiet); font-weight: 400; font-size: .75rem; }
}
@media screen and (max-width: 44rem) { svg { font-size: 16px; } .rates { display: none; } }
@media screen and (max-width: 30rem) { svg { font-size: 24px; } }
@page { size: A4; margin: 14mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --quiet: #444; --paper: #fff; --rule: #ccc; --accent: #0b57d0; --b: #a8410a; --bar: #86a8dd; font-size: 10pt; }
  body { padding: 0; }
  main { max-width: none; }
  figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  .scroll { overflow: visible; }
  table { font-size: 7pt; }
  td small { font-size: 6pt; }
  th, td { padding: .2rem .25rem; }
  th[scope=row] { min-width: 6.5em; }
  svg .bar { print-color-adjust: exact; }
}`;
