# @hey-api/openapi-ts
[ -d node_modules ] || npm install --silent --no-audit --no-fund || exit 75
node_modules/.bin/openapi-ts --silent --input "$OPENAPI_DOCUMENT" --output outreach &&
  node_modules/.bin/tsc --project . &&
  node_modules/.bin/esbuild program.ts --log-level=error --bundle --platform=node --format=esm --outfile=program.mjs &&
  node program.mjs
