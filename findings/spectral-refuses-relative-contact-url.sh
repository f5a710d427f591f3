#!/usr/bin/env bash
# @stoplight/spectral-cli 6.16.3
# Expected: a relative address in info.contact.url is judged alike in OpenAPI 3.0 and 3.1, which say the same of the field.
# Happens: the same document is an error of oas3-schema as 3.1 (`"url" property must match format "uri"`), and nothing as 3.0.
# Why it matters: a service that is installed at many addresses cannot name its own in one document, and a document that its
#   3.0 form passes fails the moment it is raised to 3.1. Leave the address out.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @stoplight/spectral-cli@6.16.3
echo '{"extends":["spectral:oas"]}' >.spectral.json
for version in 3.0.3 3.1.1; do
  echo "{\"openapi\":\"$version\",\"info\":{\"title\":\"Market\",\"version\":\"1\",\"contact\":{\"name\":\"Operator\",\"url\":\"/\"}},\"paths\":{}}" >"$version.json"
  npx spectral lint --quiet --format json --output "$version.out" "$version.json" || true
done
node -e '
const assert = require("node:assert/strict")
const codes = (version) =>
  JSON.parse(require("node:fs").readFileSync(`${version}.out`, "utf8"))
    .filter(({ path }) => path.join(".") === "info.contact.url")
    .map(({ code, message }) => `${code}: ${message}`)
console.log("3.0.3:", codes("3.0.3"), "3.1.1:", codes("3.1.1"))
assert.deepEqual(codes("3.0.3"), [])
assert.equal(codes("3.1.1").length, 1)
assert.match(codes("3.1.1")[0], /^oas3-schema: .*must match format "uri"/)
'
