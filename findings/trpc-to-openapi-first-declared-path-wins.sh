#!/usr/bin/env bash
# trpc-to-openapi 3.3.0 (with @trpc/server 11.25.2, zod 4.6.7, zod-openapi 5.4.6)
# Expected: /bounties/open is answered by the procedure of that path, also beside /bounties/{id}: OpenAPI says that a
#   concrete path is matched before a templated one, and the document that the library writes lists both.
# Happens: whichever was declared first in the router answers. With {id} first the other can never be reached.
# Why it matters: moving a procedure in a file changes the API, while its document, the generated client and the
#   procedure's own tests stay the same. Declare concrete paths first, and test through HTTP.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline trpc-to-openapi@3.3.0 @trpc/server@11.25.2 zod@4.6.7 zod-openapi@5.4.6
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { initTRPC } from '@trpc/server'
import { createOpenApiFetchHandler, generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'

const t = initTRPC.meta().create()
const by = (path, input, name) =>
  t.procedure
    .meta({ openapi: { method: 'GET', path } })
    .input(input)
    .output(z.object({ by: z.string() }))
    .query(() => ({ by: name }))
const one = by('/bounties/{id}', z.object({ id: z.string() }), 'one')
const open = by('/bounties/open', z.object({}), 'open')
async function answer(router) {
  const req = new Request('http://localhost/bounties/open')
  const response = await createOpenApiFetchHandler({ endpoint: '/', router, req, createContext: () => ({}) })
  return (await response.json()).by
}
const first = t.router({ one, open })
const { paths } = generateOpenApiDocument(first, { title: 'Market', version: '1', baseUrl: 'http://localhost' })
const answers = [await answer(first), await answer(t.router({ open, one }))]
console.log(`documented: ${Object.keys(paths)}; /bounties/open answered by: ${answers.join(', in the other order by: ')}`)
assert.deepEqual(Object.keys(paths), ['/bounties/{id}', '/bounties/open'])
assert.deepEqual(answers, ['one', 'open'])
EOF
node check.mjs
