# openapi-python-client, which formats with ruff
[ -x venv/bin/openapi-python-client ] || { python3 -m venv venv && venv/bin/pip install --quiet --requirement requirements.txt; } || exit 75
export PATH="$PWD/venv/bin:$PATH"
openapi-python-client generate --path "$OPENAPI_DOCUMENT" --meta none --output-path outreach_client --overwrite --fail-on-warning >&2 &&
  python program.py
