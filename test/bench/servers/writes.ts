/**
 * The SQL of a claim, a submission or a new bounty and nothing else, from an HTTP handler: node:http and a pg pool. The
 * statements were taken from the log of the database while the service ran them. It looks up the pull request and reads
 * the founder's funds as the service does.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { pino } from 'pino'
import type { Address } from 'viem'
import { connectChain } from '../../../server/chain/chain.ts'
import { newId } from '../../../server/ids.ts'
import { parsePullRequestUrl } from '../../../server/repositories/pull-request-url.ts'
import { createRepositories } from '../../../server/repositories/repositories.ts'
import type { CapturedStatement } from '../harness/capture.ts'

/** What the handlers run, and values that the service would learn from the rows it reads. */
interface WritesFile {
  work?: {
    claim: CapturedStatement[]
    submit: CapturedStatement[]
    agentByKeyId: Record<string, string>
    projects: string[]
    repoUrl: string
  }
  creation?: {
    statements: CapturedStatement[]
    known: Record<'keyId' | 'agent' | 'project', string>
    token: Address
    founderWallet: Address
  }
}

const { DATABASE_URL, WRITES_FILE = '', GITHUB_API_URL = '', GITHUB_TOKEN = '' } = process.env
const { CHAIN_RPC_URL = '', PLATFORM_WALLET_ADDRESS = '' } = process.env
const { work, creation }: WritesFile = JSON.parse(readFileSync(WRITES_FILE, 'utf8'))
const prefixes = { act_: 'activity', bnt_: 'bounty', sub_: 'submission', req_: 'request' } as const
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const repositories = createRepositories({
  apiUrl: GITHUB_API_URL,
  organization: 'bounty-marketplace',
  auth: { token: GITHUB_TOKEN },
  log: pino({ level: 'silent' }),
})
const chain = await connectChain({
  rpcUrls: [CHAIN_RPC_URL],
  operators: [],
  platformWallet: PLATFORM_WALLET_ADDRESS as Address,
})

createServer((request, response) => {
  handle(request).then(
    ({ status, body }) => send(response, status, body),
    (error) => response.writeHead(500).end(String(error)),
  )
}).listen(Number(process.env.PORT), process.env.HOST)

interface Result {
  status: number
  body: unknown
}

async function handle(request: IncomingMessage): Promise<Result> {
  if (request.method !== 'POST') return { status: 200, body: {} }
  const [, , kind, id = '', action] = (request.url ?? '').split('/')
  if (kind === 'projects') return create(request)
  if (!work) return { status: 404, body: {} }
  const keyId = /bmk_([0-9A-Za-z]+)_/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const agent = work.agentByKeyId[keyId] ?? ''
  // The harness ends each bounty's id with the number of its project.
  const project = work.projects[Number(id.slice(-4))] ?? ''
  const known: Record<string, string> = { keyId, agent, bounty: id, project, repoUrl: work.repoUrl }
  if (action !== 'claim') return submit(request, work, known)
  await runCaptured(work.claim, known)
  return { status: 200, body: { bounty: { id, status: 'claimed', claimed_by: agent } } }
}

async function submit(
  request: IncomingMessage,
  { repoUrl, submit }: NonNullable<WritesFile['work']>,
  known: Record<string, string>,
): Promise<Result> {
  const { pr_url } = JSON.parse(await read(request)) as { pr_url: string }
  const pullRequest = parsePullRequestUrl(repoUrl, pr_url)
  if (!pullRequest || !(await repositories.readPullRequest(pullRequest))) return { status: 400, body: {} }
  const id = newId('submission')
  await runCaptured(submit, { ...known, prUrl: pullRequest.url, 'new:sub_': id })
  const { bounty: bounty_id, agent: agent_id } = known
  const created_at = new Date().toISOString()
  return {
    status: 201,
    body: { submission: { id, bounty_id, agent_id, pr_url, status: 'pending', created_at } },
  }
}

async function create(request: IncomingMessage): Promise<Result> {
  if (!creation) return { status: 404, body: {} }
  const { title, description } = JSON.parse(await read(request)) as Record<'title' | 'description', string>
  await chain.funds(creation.token, creation.founderWallet)
  const id = newId('bounty')
  await runCaptured(creation.statements, { ...creation.known, title, description, 'new:bnt_': id })
  const fields = { reward_amount: 10, difficulty: 'medium', status: 'open' }
  const bounty = { id, project_id: creation.known.project, title, description, ...fields }
  return { status: 201, body: { bounty: { ...bounty, created_at: new Date().toISOString() } } }
}

/** Runs captured statements one after the other on one connection, with the values of this request. */
async function runCaptured(statements: CapturedStatement[], known: Record<string, string>): Promise<void> {
  const client = await pool.connect()
  try {
    for (const { name, text, values } of statements) {
      const filled = values.map((value) => fill(value, known))
      const result = await client.query(filled.length > 0 ? { name, text, values: filled } : text)
      if (/^(update|insert)/i.test(text) && result.rowCount !== 1) throw new Error(`${text}: changed no row`)
    }
  } finally {
    client.release()
  }
}

function fill(value: string | null, known: Record<string, string>): string | null {
  if (value === null) return null
  if (value === '{now}') return new Date().toISOString()
  if (value.startsWith('new:'))
    return known[value] ?? newId(prefixes[value.slice(4) as keyof typeof prefixes])
  return value.startsWith('{') && value.endsWith('}') && value !== '{}'
    ? (known[value.slice(1, -1)] ?? value)
    : value
}

/** Body of a request. */
async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, headers).end(text)
}
