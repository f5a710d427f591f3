#!/usr/bin/env bash
# zod 4.6.7
# Expected: the JSON Schema of a string schema accepts what the schema accepts, or toJSONSchema refuses, as it does for what
#   JSON Schema cannot say.
# Happens: a pattern's flags are dropped without a word: /^0x[0-9a-f]{40}$/i becomes a pattern for lower case only.
# Why it matters: an address with its checksum has capitals. The server takes it, and every client, gateway or agent that
#   checks by the published document refuses it before it is sent. Write [0-9a-fA-F].
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline zod@4.6.7
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { z } from 'zod'

const address = z.string().regex(/^0x[0-9a-f]{40}$/i)
const value = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const { pattern } = z.toJSONSchema(address)
const published = z.fromJSONSchema(z.toJSONSchema(address))
const answers = [address, published].map((schema) => schema.safeParse(value).success)
console.log(`published pattern: ${pattern}; accepted by the schema: ${answers[0]}, by its JSON Schema: ${answers[1]}`)
assert.equal(pattern, '^0x[0-9a-f]{40}$')
assert.deepEqual(answers, [true, false])
EOF
node check.mjs
