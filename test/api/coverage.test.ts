import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCatalog } from '../../server/errors.ts'
import { listOperations, type Operation } from '../../server/http/adapter/operations.ts'
import { router } from '../../server/router.ts'
import { walkedErrors } from './support/refusals.ts'

/** Where the tests of a resource stand that are not in `market`. */
const folders: Record<string, string> = {
  activity: 'events/activity',
  events: 'events',
  dollars: 'market/dollars',
  payouts: 'money/payouts',
  webhooks: 'events/webhooks',
  withdrawals: 'money/withdrawals',
}
/** `agents.setWallet` has its tests in `market/agents/set-wallet.test.ts`; these operations have more of them elsewhere. */
const more: Record<string, string[]> = {
  'bounties.claim': ['market/bounties/claim-lapsed', 'market/bounties/dismiss'],
  'bounties.approve': [
    'market/bounties/approve-commit',
    'market/bounties/code-host-limit',
    'market/dollars/lock',
    'market/bounties/reviews',
    'money/payouts/backing',
    'money/payouts/dollars',
    'money/refunds/refunds',
  ],
  'bounties.create': ['api/upper-numbers', 'market/acceptances/silence', 'market/acceptances/silence-host'],
  'bounties.reject': ['market/bounties/reviews'],
  'bounties.requestChanges': ['market/bounties/reviews'],
  'bounties.submit': ['market/bounties/submit-pull-request'],
  'bounties.update': ['api/upper-numbers', 'market/acceptances/silence', 'market/acceptances/silence-host'],
  'comments.create': ['market/comments/set-commenters'],
  'projects.create': ['api/upper-numbers'],
  'projects.activate': ['market/projects/set-repository'],
  'withdrawals.create': ['money/withdrawals/create-one-at-a-time'],
}
async function testsOf({ id, method, path }: Operation): Promise<string> {
  const [resource = '', verb = ''] = id
    .split('.')
    .map((word) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  const read = (file: string) => readFile(join(import.meta.dirname, '..', `${file}.test.ts`), 'utf8')
  const row = `'${method}', '${/^\/api\/bounties\/{id}\/([\w-]+)$/.exec(path)?.[1]}'`
  const ofStates = (await read('market/bounties/states')).split('\n').filter((line) => line.includes(row))
  const own = `${folders[resource] ?? `market/${resource}`}/${verb}`
  return [...ofStates, ...(await Promise.all([own, ...(more[id] ?? [])].map(read)))].join('')
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
