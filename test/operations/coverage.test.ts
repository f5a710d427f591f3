import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachOpenApiProcedure, type OpenApiProcedure } from 'trpc-to-openapi'
import { expect, test } from 'vitest'
import { errorCatalog } from '../../server/errors.ts'
import { router } from '../../server/router.ts'
import type { OperationMeta } from '../../server/trpc.ts'

const operations: [string, OperationMeta][] = []
const procedures = router._def.procedures as unknown as Record<string, OpenApiProcedure>
forEachOpenApiProcedure<OperationMeta>(procedures, ({ path, meta }) => operations.push([path, meta]))

/** `bounties.setWallet` has its tests in `bounties/set-wallet.test.ts`; two have more of them in a second file. */
const seconds: Record<string, string> = { 'bounties.approve': 'commit', 'bounties.submit': 'pull-request' }

async function testsOf(id: string): Promise<string> {
  const name = id.replace('.', '/').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const second = seconds[id]
  const files = second === undefined ? [name] : [name, `${name}-${second}`]
  const read = (file: string) => readFile(join(import.meta.dirname, `${file}.test.ts`), 'utf8')
  return (await Promise.all(files.map(read))).join('')
}

test.each(operations)('%s has a test for every status and error it declares', async (id, meta) => {
  const source = await testsOf(id)
  const named = new Set([...source.matchAll(/['"`](\d{3}(?: [a-z]+(?:_[a-z]+)+)?)/g)].map(([, name]) => name))
  const declared = meta.errors.map((code) => `${errorCatalog[code].status} ${code}`)
  const expected = [String(meta.status), ...declared]
  expect(expected.filter((name) => !named.has(name))).toEqual([])
})
