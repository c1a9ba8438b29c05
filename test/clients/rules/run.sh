# Redocly and Spectral
[ -d node_modules ] || npm install --silent --no-audit --no-fund || exit 75
node_modules/.bin/redocly lint --format=summary "$OPENAPI_DOCUMENT" >&2 && node_modules/.bin/spectral lint --quiet "$OPENAPI_DOCUMENT" >&2
