import { beforeEach, describe, expect, test } from 'vitest'
import reader from '../../../server/code/host/github-reader-app-manifest.json' with { type: 'json' }
import { consequences } from '../../../server/market/agents/tasks/consequences.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { type GitHubRequest, proxyPage, type RequestFault } from '../../support/request-faults.ts'
import type { TestProject } from '../../support/scenarios.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'

const { default_permissions: permissions } = reader
/** The id of the only repository that Ada has, by its name; what is installed and proven in it. */
let repositoryId = 5_000
let name = ''
let isInstalled = true
let isAway = false
let proof = ''
let requests: GitHubRequest[] = []

function codeHost(request: GitHubRequest): RequestFault {
  const base = `/repos/ada/${name}`
  if (!request.path.startsWith('/repos/ada/')) return undefined
  requests.push(request)
  if (isAway) return proxyPage
  const missing = { status: 404, body: { message: 'Not Found' } }
  if (request.path === `${base}/installation`)
    return isInstalled ? { status: 200, body: { id: 7, permissions, suspended_at: null } } : missing
  const about = { id: repositoryId, full_name: `ada/${name}`, private: false, archived: false }
  if (request.path === base) return { status: 200, body: { ...about, default_branch: 'trunk' } }
  if (request.path === `${base}/contents/.github%2Fbounty-market`)
    return { status: 200, body: { content: Buffer.from(proof).toString('base64') } }
  return missing
}

const market = await createTestMarket({ onGitHubRequest: codeHost })

beforeEach(() => {
  repositoryId++
  name = `rocket-${repositoryId}`
  isInstalled = true
  proof = ''
  requests = []
})

const put = ({ id, founder }: TestProject, full_name: string | null = `ada/${name}`, api = market.api) =>
  api('PUT', `/api/projects/${id}/repository`, { key: founder.key, body: { full_name } })
const read = ({ id, founder }: TestProject, key = founder.key) =>
  market.api('GET', `/api/projects/${id}/repository`, { key })
const activate = ({ id, founder }: TestProject) =>
  market.api('POST', `/api/projects/${id}/activate`, { key: founder.key })
/** A project whose founder can prove everything. */
async function readyProject() {
  const project = await market.proposedProject()
  proof = project.id
  expect((await put(project)).body.repository).toMatchObject({ state: 'ready', missing: [] })
  return project
}

describe('200', () => {
  test('says what is missing, where to install the App and what to write into which file', async () => {
    isInstalled = false
    const project = await market.proposedProject()
    const { status, body } = await put(project)
    expect(status).toBe(200)
    expect(body.repository).toEqual({
      project_id: project.id,
      full_name: `ada/${name}`,
      own: true,
      state: 'wanted',
      missing: ['not_installed'],
      install_url: `${market.github.apiUrl}/user/installation/repositories/${name}`,
      proof: { path: '.github/bounty-market', content: project.id },
    })
  })

  test('null takes it back, and the organization makes one', async () => {
    const project = await readyProject()
    expect((await put(project, null)).body.repository).toMatchObject({
      full_name: null,
      own: false,
      state: 'ready',
      install_url: null,
      proof: null,
    })
    expect((await activate(project)).body.project.repo_url).toContain('/test-organization/')
  })
})

test('400 for a repository of the organization, and for what is none', async () => {
  const project = await market.proposedProject()
  for (const wrong of ['Test-Organization/rocket', 'rocket', 'ada/..', 'https://x/ada/rocket'])
    expectInvalid(await put(project, wrong), 'full_name')
})

test('409 project_already_active', async () => {
  expectError(await put(await market.activeProject()), 'project_already_active')
})

test('409 own_repositories_unavailable where the operator has no App for it, also for a wish of before', async () => {
  const project = await readyProject()
  const other = await createTestMarket({ sharing: market, without: ['reader'] })
  await market.stopEngines()
  expectError(
    await put(await market.proposedProject(), 'ada/rocket', other.api),
    'own_repositories_unavailable',
  )
  const { key } = project.founder
  const refused = await other.api('POST', `/api/projects/${project.id}/activate`, { key })
  expectError(refused, 'own_repositories_unavailable')
  market.startEngines()
  await other.close()
})

test('502 repository_unreachable, and nothing is stored', async () => {
  const project = await market.proposedProject()
  isAway = true
  expectError(await put(project), 'repository_unreachable')
  isAway = false
  expect((await read(project)).body.repository.full_name).toBeNull()
})

test('409 merge_refused: in its own repository the founder merges at the code host', async () => {
  const done = await market.doneBounty({ project: await market.activeProject() })
  await setRows(market.db, 'projects', { id: done.project.id }, { wanted_repository: 'ada/rocket' })
  expectError(await market.act(done, 'merge', done.founder, {}), 'merge_refused')
})

describe('activation', () => {
  test('409 repository_not_ready with what is missing; nothing is created, and 200 afterwards', async () => {
    const project = await market.proposedProject()
    await put(project)
    const refused = await activate(project)
    expectError(refused, 'repository_not_ready')
    expect(refused.body.error.message).toContain('no_proof')
    const stored = await readRow(market.db, 'activations', { project_id: project.id })
    expect(stored).toMatchObject({ status: 'failed', repo_url: null, transaction_id: null })
    const { tasks } = (await market.api('GET', '/api/agents/me/tasks', { key: project.founder.key })).body
    expect(tasks).toMatchObject([{ action: 'activate', consequence: consequences.activate.own }])
    proof = project.id
    const { status, body } = await activate(project)
    expect(status).toBe(200)
    expect(body.project.repo_url).toBe(`${market.github.webUrl}/ada/${name}`)
    expect((await read(project)).body.repository).toMatchObject({ own: true, state: 'active', missing: [] })
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('the founder merges there itself: no merge, no maintainer, and preflight says so', async () => {
    const project = await readyProject()
    const { body } = await activate(project)
    const bounty = await market.openBounty({ project: { ...project, ...body.project } })
    const claimant = await market.register()
    const { preflight } = (
      await market.api('GET', `/api/bounties/${bounty.id}/preflight`, { key: claimant.key })
    ).body
    expect(preflight.repository).toEqual({ own: true, merges_by: 'founder' })
    const path = `/api/projects/${project.id}/maintainer`
    const { key } = project.founder
    expectError(await market.api('POST', path, { key, body: { github_login: 'ada' } }), 'invitation_refused')
    expectError(await put(project), 'project_already_active')
  })

  test('409 repository_taken: of two projects at once one gets the repository', async () => {
    const one = await market.proposedProject()
    const other = await market.proposedProject()
    proof = `${one.id}\n${other.id}`
    for (const project of [one, other]) expect((await put(project)).body.repository.state).toBe('ready')
    const replies = await Promise.all([activate(one), activate(other)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expectError(replies.find(({ status }) => status === 409)!, 'repository_taken')
    const third = await market.proposedProject()
    expectError(await put(third), 'repository_taken')
    const loser = replies[0]?.status === 409 ? one : other
    await setRows(market.db, 'projects', { id: loser.id }, { repository_looked_at: new Date(0) })
    expect((await read(loser)).body.repository).toMatchObject({ state: 'wanted', missing: ['taken'] })
  })

  test('409 activation_in_progress for another wish once the repository is recorded', async () => {
    const project = await readyProject()
    await market.stopEngines()
    const pending = activate(project)
    const isBegun = async () =>
      (
        await market.db
          .selectFrom('activations')
          .select('status')
          .where('project_id', '=', project.id)
          .execute()
      ).length > 0
    await until(isBegun)
    expectError(await put(project, null), 'activation_in_progress')
    market.startEngines()
    expect((await pending).status).toBe(200)
  })
})
