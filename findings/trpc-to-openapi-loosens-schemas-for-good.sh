#!/usr/bin/env bash
# trpc-to-openapi 3.3.0 (with @trpc/server 11.25.2, zod 4.6.7, zod-openapi 5.4.6)
# Expected: reading "?limit=3" as a number concerns that request; a schema of zod that also serves elsewhere stays as strict
#   as it was written.
# Happens: the first request over HTTP turns coercion on in the schema objects themselves. From then on z.number() takes "12",
#   true and null (as 0), everywhere in the process that the same object is used.
# Why it matters: what a validator accepts depends on whether any request came before, so a test of it alone and the running
#   service disagree; a null amount becomes 0. Give query strings schemas of their own.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline trpc-to-openapi@3.3.0 @trpc/server@11.25.2 zod@4.6.7 zod-openapi@5.4.6
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { initTRPC } from '@trpc/server'
import { createOpenApiFetchHandler } from 'trpc-to-openapi'
import { z } from 'zod'

const t = initTRPC.meta().create()
const amount = z.number()
const list = t.procedure
  .meta({ openapi: { method: 'GET', path: '/list' } })
  .input(z.object({ limit: amount }))
  .output(z.object({ limit: z.number() }))
  .query(({ input }) => input)
const read = () => ['12', true, null].map((value) => amount.safeParse(value).data ?? 'refused')

const before = read()
const response = await createOpenApiFetchHandler({
  endpoint: '/',
  router: t.router({ list }),
  req: new Request('http://localhost/list?limit=3'),
  createContext: () => ({}),
})
const after = read()
console.log(`z.number() of "12", true, null: ${before}; after one request: ${after}`)
assert.equal(response.status, 200)
assert.deepEqual(before, ['refused', 'refused', 'refused'])
assert.deepEqual(after, [12, 1, 0])
EOF
node check.mjs
