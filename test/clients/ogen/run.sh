# ogen
generator=github.com/ogen-go/ogen/cmd/ogen@v1.24.0
go run "$generator" --version >&2 || exit 75
go run "$generator" --target outreach --package outreach --clean "$OPENAPI_DOCUMENT" && go mod tidy && go run .
