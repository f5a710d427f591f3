import { expect, test } from 'vitest'
import reader from '../../../server/code/host/github-reader-app-manifest.json' with { type: 'json' }
import { createTestMarket } from '../../support/market.ts'
import type { TestProject } from '../../support/scenarios.ts'
import { setRows } from '../../support/stored.ts'

const { default_permissions: permissions } = reader
/** The file that shows for which project the only repository of Ada is. */
let proof = ''
let looks = 0
const market = await createTestMarket({
  onGitHubRequest: ({ path }) => {
    const [, rest] = /^\/repos\/ada\/rocket(.*)$/.exec(path) ?? []
    if (rest === '/installation') {
      looks++
      return { status: 200, body: { id: 7, permissions, suspended_at: null } }
    }
    const about = { id: 5000, full_name: 'ada/rocket', private: false, archived: false }
    if (rest === '') return { status: 200, body: { ...about, default_branch: 'trunk' } }
    if (rest === '/contents/.github%2Fbounty-market')
      return { status: 200, body: { content: Buffer.from(proof).toString('base64') } }
  },
})

const read = ({ id, founder }: TestProject, key = founder.key) =>
  market.api('GET', `/api/projects/${id}/repository`, { key })
/** Lets the founder look again. */
const passTime = ({ id }: TestProject) =>
  setRows(market.db, 'projects', { id }, { repository_looked_at: new Date(0) })

test('200: the founder sees it anew, once in ten seconds, and others see what was found last', async () => {
  const project = await market.proposedProject()
  const { founder } = project
  const wish = { key: founder.key, body: { full_name: 'ada/rocket' } }
  const { body } = await market.api('PUT', `/api/projects/${project.id}/repository`, wish)
  expect(body.repository.missing).toEqual(['no_proof'])
  proof = project.id
  const before = looks
  const other = await market.register()
  for (const key of [founder.key, other.key])
    expect((await read(project, key)).body.repository.missing).toEqual(['no_proof'])
  await passTime(project)
  expect((await read(project, other.key)).body.repository.missing).toEqual(['no_proof'])
  expect(looks).toBe(before)
  expect((await read(project)).body.repository).toMatchObject({ state: 'ready', missing: [] })
  expect((await read(project, other.key)).body.repository.state).toBe('ready')
})
