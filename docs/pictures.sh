#!/usr/bin/env bash
# Regenerates the pictures in dashboard.md from a real run of the demo in a terminal of 100 columns. Needs tmux.
set -euo pipefail
cd "$(dirname "$0")/.."

socket=outreach-pictures
tmux -L "$socket" new-session -d -x 100 -y 28 -s demo "node bin/run.js demo"
trap 'tmux -L "$socket" kill-server 2>/dev/null || true' EXIT
screen() { tmux -L "$socket" capture-pane -p -t demo; }
press() { tmux -L "$socket" send-keys -t demo "$1"; }
until_seen() { for _ in $(seq 600); do screen | grep -qE "$1" && return; sleep 0.5; done; echo "never seen: $1" >&2; exit 1; }

# Follow-ups are on their way and some people have answered.
until_seen 'active +\S+ +[0-9]+% +2[5-9][0-9]'
campaigns=$(screen)
press Enter
until_seen 'Next emails'
campaign=$(screen)
press q

campaigns="$campaigns" campaign="$campaign" node - <<'JS'
const { readFileSync, writeFileSync } = require('node:fs');
let page = readFileSync('docs/dashboard.md', 'utf8');
for (const name of ['campaigns', 'campaign']) {
  const picture = process.env[name].split('\n').map((line) => line.trimEnd()).join('\n').trimEnd();
  page = page.replace(new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`), (_, begin, end) => `${begin}\`\`\`text\n${picture}\n\`\`\`\n${end}`);
}
writeFileSync('docs/dashboard.md', page);
JS
