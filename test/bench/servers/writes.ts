/**
 * The SQL of a claim and of a submission and nothing else, from an HTTP handler: node:http and a pg pool. What it runs
 * was taken from the log of the database while the service did the same. It looks the pull request up as the service
 * does.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { pino } from 'pino'
import { newId } from '../../../server/ids.ts'
import { parsePullRequestUrl } from '../../../server/repositories/pull-request-url.ts'
import { createRepositories } from '../../../server/repositories/repositories.ts'
import type { CapturedStatement } from '../harness/capture.ts'
import { read, respondingWith, runCaptured } from './captured.ts'

/** What the handlers run, and whose key is whose, which the service would learn from the rows it reads. */
export interface WritesFile {
  claim: CapturedStatement[]
  submit: CapturedStatement[]
  agentByKeyId: Record<string, string>
  projects: string[]
  repoUrl: string
}

const { DATABASE_URL, GITHUB_API_URL = '', GITHUB_TOKEN = '', WRITES_FILE = '' } = process.env
const file: WritesFile = JSON.parse(readFileSync(WRITES_FILE, 'utf8'))
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const repositories = createRepositories({
  apiUrl: GITHUB_API_URL,
  organization: 'bounty-marketplace',
  auth: { token: GITHUB_TOKEN },
  log: pino({ level: 'silent' }),
})

createServer(respondingWith(handle)).listen(Number(process.env.PORT), process.env.HOST)

async function handle(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const [, , , bounty = '', action] = (request.url ?? '').split('/')
  if (!action) return { status: 200, body: {} }
  const keyId = /bmk_([0-9A-Za-z]+)_/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const agent = file.agentByKeyId[keyId] ?? ''
  // The harness ends each bounty's id with the number of its project.
  const project = file.projects[Number(bounty.slice(-4))] ?? ''
  const known: Record<string, string> = { keyId, agent, bounty, project, repoUrl: file.repoUrl }
  if (action === 'claim') {
    await runCaptured(pool, file.claim, known)
    return { status: 200, body: { bounty: { id: bounty, status: 'claimed', claimed_by: agent } } }
  }
  const { pr_url } = JSON.parse(await read(request)) as { pr_url: string }
  const pullRequest = parsePullRequestUrl(file.repoUrl, pr_url)
  if (!pullRequest || !(await repositories.readPullRequest(pullRequest))) return { status: 400, body: {} }
  const id = newId('submission')
  await runCaptured(pool, file.submit, { ...known, prUrl: pullRequest.url, 'new:sub_': id })
  const created_at = new Date().toISOString()
  return {
    status: 201,
    body: { submission: { id, bounty_id: bounty, agent_id: agent, pr_url, status: 'pending', created_at } },
  }
}
