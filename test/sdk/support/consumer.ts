import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Installation, root } from './package.ts'

/** Uses the whole surface in the ways an agent does, the types included. */
const consumer = `
import {
  ApiError, Marketplace, type ApiPromise, type BountiesGetResponse, type Bounty, type ErrorCode, type Event, type EventStream, type Hooks, type Logger,
} from '@bounty-marketplace/sdk'
import { memoryStore, runAgent, type Choice, type Store } from '@bounty-marketplace/sdk/agent'
import { fileStore } from '@bounty-marketplace/sdk/agent/file-store'
import { deliver, logIn, type Account } from '@bounty-marketplace/sdk/git'
import { type MemoryMarketplace, memoryMarketplace, type SignedWebhook, signWebhook } from '@bounty-marketplace/sdk/testing'
import { tools, type ToolResult } from '@bounty-marketplace/sdk/tools'
import { createExportKeys, exportWallet, openExport, type ExportKeys } from '@bounty-marketplace/sdk/wallet'
import { challengeResponse, verifyWebhook, WebhookVerificationError, type WebhookRefusal } from '@bounty-marketplace/sdk/webhooks'

const hooks: Hooks = { onResponse: ({ requestId, status }) => void [requestId, status] }
const market = new Marketplace({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', maxRetries: 0, ...hooks })
const open: Bounty[] = []
const code: ErrorCode | 'unexpected_response' | undefined = await market.bounties
  .create('proj_1', { title: 'A', description: 'B', reward_amount: 1 }, { idempotencyKey: 'k' })
  .then(({ bounty }) => (open.push(bounty), undefined))
  .catch((error: unknown) => (error instanceof ApiError ? error.code : undefined))
// @ts-expect-error an unknown field
market.bounties.create('proj_1', { title: 'A', description: 'B', reward_amount: 1, surprise: 1 }).catch(() => code)
// @ts-expect-error a status that does not exist
market.bounties.list({ status: 'lost' }).catch(() => undefined)
// @ts-expect-error a field that the answer does not have
market.bounties.get('bnt_1').then(({ bounty }) => bounty.surprise, () => undefined)
const step = await market.bounties.iterate({ limit: 5 }).next().catch(() => undefined)
const title: string | undefined = step && !step.done ? step.value.title : undefined

const maybe: string | undefined = title
market.bounties.list({ q: maybe, limit: undefined }, { headers: { 'x-own': maybe } }).catch(() => undefined)
market.bounties.update('bnt_1', { title: maybe, tags: undefined }).catch(() => undefined)
market.bounties.claimNext({ q: maybe }, { waitMs: 1, apiKey: async () => 'key' }).catch(() => undefined)

const { project } = await market.projects.get('proj_1')
const repository: string | undefined = project.status === 'active' ? project.repo_url : undefined
// @ts-expect-error only an active project has a repository
project.repo_url

for await (const entry of market.activity.iterate()) {
  switch (entry.type) {
    case 'submission.approved': {
      const net: string = entry.data.net
      // @ts-expect-error a member of another type's data
      entry.data.repo_url
      hooks.onRequest?.({ operation: net, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'project.activated': {
      const address: string = entry.data.token_address
      hooks.onRequest?.({ operation: address, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'payout.confirmed': {
      const hash: string = entry.data.tx_hash
      hooks.onRequest?.({ operation: hash, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'bounty.funded': case 'bounty.refunded': {
      const dollars: string = entry.data.amount
      hooks.onRequest?.({ operation: dollars, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'pull_request.updated': case 'pull_request.merged': case 'pull_request.closed': {
      const head: string = entry.data.head_sha
      hooks.onRequest?.({ operation: head, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'agent.registered': case 'project.created': case 'bounty.created': case 'bounty.claimed':
    case 'submission.created': case 'submission.rejected':
      break
    default: {
      // Types that newer services add are left, and are strings.
      const added: string = entry.type
      const member: unknown = entry.data['member']
      // @ts-expect-error so the types are never exhausted
      const none: never = entry
      hooks.onRequest?.({ operation: String([added, member, none]), method: 'GET', url: '', attempt: 1 })
    }
  }
}

const { tasks } = await market.agents.tasks()
for (const task of tasks) {
  const bounty: string | null = task.bounty_id
  switch (task.action) {
    case 'submit': case 'reply': {
      const known: [string, string, number] = [task.project_id, task.bounty_id, task.revision]
      // @ts-expect-error a task to submit may be about no submission
      const submission: string = task.submission_id
      hooks.onRequest?.({ operation: String([known, submission]), method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'revise': case 'retract': case 'review': case 'approve': case 'merge': {
      const submission: string = task.submission_id
      hooks.onRequest?.({ operation: submission, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'activate': case 'repair_repository': {
      const project: string = task.project_id
      const none: null = task.bounty_id
      hooks.onRequest?.({ operation: String([project, none]), method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'repair_webhook': {
      const webhook: string = task.webhook_id
      hooks.onRequest?.({ operation: webhook, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'repair_pull_request': case 'read': case 'set_wallet': case 'check_wallet':
      break
    default: {
      const added: string = task.action
      const maybe: string | null = task.submission_id
      // @ts-expect-error so the actions are never exhausted
      const none: never = task
      hooks.onRequest?.({ operation: String([added, maybe, none, bounty]), method: 'GET', url: '', attempt: 1 })
    }
  }
}

const stream: EventStream = market.events.stream({ mine: true, types: ['payout.confirmed'], onTruncated: () => {} })
const cursor: string | undefined = stream.cursor
// @ts-expect-error a type that does not exist
market.events.stream({ types: ['payout.lost'] })
for await (const event of stream) {
  if (event.type === 'payout.confirmed') {
    const hash: string = event.data.tx_hash
    // @ts-expect-error a member that its data does not have
    event.data.nothing
    hooks.onRequest?.({ operation: String([hash, cursor]), method: 'GET', url: '', attempt: 1 })
  }
  if (event.type === 'withdrawal.failed') {
    const withdrawal: string = event.data.withdrawal_id
    // @ts-expect-error a member of another type's data
    event.data.webhook_id
    hooks.onRequest?.({ operation: withdrawal, method: 'GET', url: '', attempt: 1 })
  }
  // @ts-expect-error a member of one type's data, before its type is known
  event.data.tx_hash
}
const received: Event | WebhookRefusal = await verifyWebhook(new Headers(), new Uint8Array(), ['whsec_1', 'whsec_2'])
  .then(({ data }) => data)
  .catch((error: unknown) => (error instanceof WebhookVerificationError ? error.reason : 'not_an_event'))
const echoed: string | undefined = challengeResponse('{}')?.challenge
hooks.onRequest?.({ operation: String([received, echoed]), method: 'GET', url: '', attempt: 1 })

const polled: Bounty = (await market.bounties.get('bnt_1', { previous: await market.bounties.get('bnt_1') })).bounty
// @ts-expect-error the response of another operation
market.bounties.get('bnt_1', { previous: await market.dashboard.stats() }).catch(() => undefined)
// @ts-expect-error a write has no earlier response
market.bounties.claim('bnt_1', {}, { previous: {} }).catch(() => undefined)

const pending: ApiPromise<BountiesGetResponse> = market.bounties.get('bnt_1', { apiKey: null, logLevel: 'off' })
const { data, response, requestId } = await pending.withResponse()
const facts: [Bounty, number, string | undefined, string | undefined] = [data.bounty, response.status, requestId, data._request_id]
const quiet: Marketplace = market.with({ logger: console satisfies Logger, logLevel: 'warn', headers: { a: 'b' } })
const sent: BountiesGetResponse = await quiet.request<BountiesGetResponse>('GET /api/bounties/{id}', { path: { id: 'bnt_1' } })
// @ts-expect-error a route begins with a method
quiet.request('/api/bounties').catch(() => undefined)

const kit = tools(market, { only: ['claim', 'create_bounty'] })
const { text }: ToolResult = await kit.call('claim', { bounty_id: 'bnt_1' })
// @ts-expect-error a tool that does not exist
kit.call('withdraw', {}).catch(() => undefined)
// @ts-expect-error an argument that the tool does not have
kit.call('claim', { bounty_id: 'bnt_1', surprise: 1 }).catch(() => undefined)
// @ts-expect-error an argument is missing
kit.call('submit', { bounty_id: 'bnt_1' }).catch(() => undefined)

const choice: Choice = { choice: 'approve', fields: { expected_head_sha: 'a', review_notes: 'Thank you.' } }
// @ts-expect-error a field of another type
const wrong: Choice = { fields: { pr_url: 1 } }
const store: Store = maybe ? fileStore(maybe) : memoryStore()
const account: Account = await logIn(market)
await runAgent({
  market, store, name: account.login,
  work: async (task, agent) => task.action === 'submit' ? { fields: { pr_url: await deliver(agent.market, task, async () => {}) } } : choice,
  begin: async () => ({ route: 'POST /api/bounties/bnt_1/claim' }),
  events: { types: ['bounty.created'] }, isDone: async () => wrong === choice,
})
const heard: object[] = [...kit.openai(), ...(await kit.answer.openai({ tool_calls: null }))]

const keys: ExportKeys = await createExportKeys()
const exported = await market.agents.exportWallet({ recipient_public_key: keys.recipientPublicKey })
const opened: string[] = [await exportWallet(market), await openExport(exported, keys)]
const decrypted: ArrayBuffer = await keys.decrypt(new Uint8Array(65), new Uint8Array(82))

const memory: MemoryMarketplace = memoryMarketplace()
const inMemory = new Marketplace({ ...memory, apiKey: 'key' })
memory.fail('bounties.claim', { code: 'bounty_not_open' }, 2)
// @ts-expect-error an operation that does not exist
memory.fail('bounties.steal', 'connection')
const delivery: SignedWebhook = await signWebhook('{}', 'whsec_AAAA')
export default [inMemory, delivery, title, repository, polled, facts, sent, text, heard, opened, decrypted]
`

/** Uses what `/chain` declares beside viem's own types. */
export const chainConsumer = `
import { Marketplace, type Payout } from '@bounty-marketplace/sdk'
import { connectChain, type MarketplaceChain, type PayoutDifference, parseTokens, verifyPayout } from '@bounty-marketplace/sdk/chain'

const market = new Marketplace({ baseUrl: 'http://127.0.0.1:1' })
const chain: MarketplaceChain = await connectChain(market)
const { project } = await market.projects.get('proj_1')
const { eth }: { eth: bigint } = await chain.quoteBuy(project.status === 'active' ? project : {}, parseTokens(1))
const payout: Payout = (await market.payouts.get('sub_1')).payout
const found = await verifyPayout(payout, chain.client)
const differences: PayoutDifference[] = found.status === 'differs' ? found.differences : []
const final: boolean | undefined = found.status === 'paid' ? found.isFinal : false
// @ts-expect-error only what differs has differences
found.differences
export default [eth, differences, final, await verifyPayout(payout, 'http://127.0.0.1:8545')]
`

/** Every option that makes a compiler stricter, and the package's own declarations checked too. */
const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
}
/** Where the package is used. */
export const environments = {
  'Node modules': { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] },
  'a bundler and a browser': {
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  },
}

/** Compiles a consumer of the package as strictly as can be; answers what the compiler objects to. */
export async function checkTypes(
  installed: Installation,
  compiler: string,
  options: object,
  program = consumer,
): Promise<string> {
  await installed.write('consumer.ts', program)
  const compilerOptions = { ...strict, ...options }
  await installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  return installed.run(compiler, ['-p', '.'])
}

/** Compiles the snippets of the README, which are one program, to `readme.js`. */
export async function compileReadme(installed: Installation, compiler: string): Promise<void> {
  const readme = await readFile(join(root, 'sdk', 'README.md'), 'utf8')
  const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code)
  if (snippets.length < 7) throw new Error('the README has lost its snippets')
  await installed.write('readme.ts', snippets.join('\n'))
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    skipLibCheck: true,
  }
  await installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['readme.ts'] }))
  await installed.run(compiler, ['-p', '.'])
}
