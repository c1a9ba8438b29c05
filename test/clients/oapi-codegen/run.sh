# oapi-codegen
generator=github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
go run "$generator" -version >&2 || exit 75
mkdir -p outreach &&
  go run "$generator" -generate types,client -package outreach -o outreach/client.go "$OPENAPI_DOCUMENT" &&
  go mod tidy && go run .
