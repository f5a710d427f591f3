import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCatalog } from '../../server/errors.ts'
import { listOperations, type Operation } from '../../server/http/adapter/operations.ts'
import { router } from '../../server/router.ts'
import { walkedErrors } from './support/refusals.ts'

/** `agents.setWallet` has its tests in `agents/set-wallet.test.ts`; these operations have more of them elsewhere. */
const more: Record<string, string[]> = {
  'bounties.claim': ['bounties/claim-lapsed', 'bounties/dismiss'],
  'bounties.approve': [
    ...['bounties/approve-commit', 'bounties/code-host-limit', 'bounties/reviews'],
    '../engines/payouts/backing',
  ],
  'bounties.create': ['upper-numbers'],
  'bounties.reject': ['bounties/reviews'],
  'bounties.requestChanges': ['bounties/reviews'],
  'bounties.submit': ['bounties/submit-pull-request'],
  'bounties.update': ['upper-numbers'],
  'comments.create': ['comments/set-commenters'],
  'projects.create': ['upper-numbers'],
  'withdrawals.create': ['withdrawals/create-one-at-a-time'],
}
async function testsOf({ id, method, path }: Operation): Promise<string> {
  const name = id.replace('.', '/').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const read = (file: string) => readFile(join(import.meta.dirname, `${file}.test.ts`), 'utf8')
  const row = `'${method}', '${/^\/api\/bounties\/{id}\/([\w-]+)$/.exec(path)?.[1]}'`
  const ofStates = (await read('bounties/states')).split('\n').filter((line) => line.includes(row))
  return [...ofStates, ...(await Promise.all([name, ...(more[id] ?? [])].map(read)))].join('')
}

const operations = listOperations(router).map((operation) => [operation.id, operation] as const)

test.each(operations)('%s has a test for every status and error it declares', async (_, operation) => {
  const source = await testsOf(operation)
  const named = new Set([...source.matchAll(/['"`](\d{3}(?: [a-z]+(?:_[a-z]+)+)?)/g)].map(([, name]) => name))
  const walked = walkedErrors(operation)
  const declared = operation.meta.errors.filter((code) => !walked.includes(code))
  const expected = [
    String(operation.meta.status),
    ...declared.map((code) => `${errorCatalog[code].status} ${code}`),
  ]
  expect(expected.filter((name) => !named.has(name))).toEqual([])
})
