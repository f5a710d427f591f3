#!/usr/bin/env bash
# fastify 5.12.8 and zod 4.6.7 (with ajv 8.20.0, which fastify brings)
# Expected: a body that satisfies its route's schema reaches the route as it was sent.
# Happens: with the validator as fastify sets it up, the first branch of an anyOf that a value can be turned into takes it, though a
#   later one allows it as it is. zod writes `.nullable()` as an anyOf with null last: null becomes 0, and a list's null becomes [""].
#   With null first, 0 becomes null.
# Why it matters: "no limit" arrives as a limit of nothing, "no reviewers" as one without a name, without an error. zod writes a plain
#   number's null as a list of types, which is left alone, so one field shows nothing of the other. Set `coerceTypes: false` for bodies.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline fastify@5.12.8 zod@4.6.7 ajv@8.20.0
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import { z } from 'zod'

const limits = z.object({
  payouts: z.int().nullable(),
  reviewers: z.array(z.string()).nullable(),
  fee: z.union([z.null(), z.int()]),
  share: z.number().nullable(),
})
const body = z.toJSONSchema(limits, { target: 'draft-7' })
const payload = limits.parse({ payouts: null, reviewers: null, fee: 0, share: null })
async function received(options) {
  const app = Fastify(options)
  app.post('/limits', { schema: { body } }, async (request) => request.body)
  return (await app.inject({ method: 'POST', url: '/limits', payload })).json()
}
const asSetUp = await received({})
console.log('sent:', JSON.stringify(payload), 'received:', JSON.stringify(asSetUp))
assert.deepEqual(asSetUp, { payouts: 0, reviewers: [''], fee: null, share: null })
assert.deepEqual(await received({ ajv: { customOptions: { coerceTypes: false } } }), payload)
EOF
node check.mjs
