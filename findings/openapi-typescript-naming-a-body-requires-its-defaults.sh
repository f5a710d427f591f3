#!/usr/bin/env bash
# openapi-typescript 7.13.0 (with typescript 5.9.3)
# Expected: a field with a default, which a request may leave out, has the same type whether its schema stands inside the
#   request body or has a name under components.
# Happens: inside the body it is optional; named and referred to from the very same place it is required.
# Why it matters: giving a body a name (for the documentation, or because two routes share it) breaks the build of every
#   client that left the field out, though the API has not changed. `defaultNonNullable: false` makes both optional.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline openapi-typescript@7.13.0 typescript@5.9.3
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import openapi, { astToString } from 'openapi-typescript'

const NewBounty = {
  type: 'object',
  properties: { title: { type: 'string' }, currency: { type: 'string', default: 'ETH' } },
  required: ['title'],
}
async function currencyIn(schema, components, options) {
  const content = { 'application/json': { schema } }
  const post = { requestBody: { content }, responses: { 200: { description: 'Created' } } }
  const info = { title: 'Market', version: '1' }
  const types = astToString(await openapi({ openapi: '3.1.0', info, paths: { '/bounties': { post } }, components }, options))
  return types.match(/currency\??: string/)?.[0]
}
const reference = { $ref: '#/components/schemas/NewBounty' }
const inline = await currencyIn(NewBounty, {})
const named = await currencyIn(reference, { schemas: { NewBounty } })
const told = await currencyIn(reference, { schemas: { NewBounty } }, { defaultNonNullable: false })
console.log(`inside the body: "${inline}"; named: "${named}"; with defaultNonNullable: false: "${told}"`)
assert.deepEqual([inline, named, told], ['currency?: string', 'currency: string', 'currency?: string'])
EOF
node check.mjs
