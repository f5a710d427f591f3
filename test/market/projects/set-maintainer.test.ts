import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { type GitHubRequest, proxyPage, type RequestFault } from '../../support/request-faults.ts'
import { readRow } from '../../support/stored.ts'
import { isoTime } from '../../support/values.ts'

/** The accounts of the code host, as it responds with them. */
const accounts = new Map([
  ['ada', { id: 11, login: 'Ada', type: 'User' }],
  ['bob', { id: 12, login: 'Bob', type: 'User' }],
  ['cyd', { id: 13, login: 'Cyd', type: 'User' }],
  ['root', { id: 15, login: 'Root', type: 'User' }],
  ['acme', { id: 14, login: 'Acme', type: 'Organization' }],
])
const permissions = new Map([['Root', 'admin']])
let members = new Set<string>()
let invitations = new Map<number, string>()
let calls: string[] = []
/** Whether the code host lists no account, as if it had flagged them. */
let isHidden = false
let disturb: (call: string) => Promise<RequestFault> | RequestFault = () => undefined

const missing = { status: 404, body: { message: 'Not Found' } }
/** What the host says to a deletion. */
const endOf = (wasThere: boolean) => (wasThere ? { status: 204 } : missing)

/** What GitHub does with accounts, collaborators and invitations. */
async function codeHost({ method, path, body }: GitHubRequest): Promise<RequestFault> {
  const [, user] = /^\/users\/([^/]+)$/.exec(path) ?? []
  const [, held] = /\/collaborators\/([^/]+)\/permission$/.exec(path) ?? []
  if (held) return { status: 200, body: { permission: permissions.get(held) ?? 'read' } }
  const [, collaborator] = /\/collaborators\/([^/]+)$/.exec(path) ?? []
  const [, invitation] = /\/invitations\/(\d+)$/.exec(path) ?? []
  const isList = /\/invitations(\?|$)/.test(path)
  if (/\/collaborators\?/.test(path))
    return { status: 200, body: isHidden ? [] : [...members].map((login) => accounts.get(login)) }
  if (!user && !collaborator && !invitation && !isList) return undefined
  const call = `${method} ${user ?? collaborator ?? invitation ?? 'invitations'}`
  calls.push(call)
  const disturbed = await disturb(call)
  if (disturbed) return disturbed
  if (isList)
    return {
      status: 200,
      body: [...invitations].map(([id, login]) => ({ id, invitee: accounts.get(login) })),
    }
  if (invitation) return endOf(invitations.delete(Number(invitation)))
  const account = accounts.get((user ?? collaborator ?? '').toLowerCase())
  if (!account) return missing
  if (user) return { status: 200, body: account }
  const login = account.login.toLowerCase()
  if (method === 'DELETE') return endOf(members.delete(login))
  expect(body).toEqual({ permission: 'push' })
  if (members.has(login)) return { status: 204 }
  invitations.set(account.id * 100, login)
  return { status: 201, body: { id: account.id * 100 } }
}

const market = await createTestMarket({ onGitHubRequest: codeHost, codeHostMs: 20_000 })
const project = await market.activeProject()
const { founder } = project

beforeEach(async () => {
  members = new Set()
  invitations = new Map()
  calls = []
  disturb = () => undefined
  isHidden = false
  await market.db.deleteFrom('project_maintainers').execute()
})

const name = (github_login: unknown, key = founder.key, id = project.id) =>
  market.api('POST', `/api/projects/${id}/maintainer`, { key, body: { github_login } })

const stored = async () =>
  (await market.db.selectFrom('project_maintainers').select('login').execute()).map(({ login }) => login)

/** Who can write to the repository or may accept to. */
const access = () => [...members, ...invitations.values()].sort()

describe('200', () => {
  test('invited, in any letter case, as the code host writes the name', async () => {
    const { status, body } = await name('aDA')
    expect(status).toBe(200)
    expect(body).toEqual({
      maintainer: {
        project_id: project.id,
        github_login: 'Ada',
        account_id: 11,
        access: 'invited',
        invited_at: isoTime,
      },
    })
    expect([await stored(), access()]).toEqual([['Ada'], ['ada']])
  })

  test('active, if the account has access already', async () => {
    members.add('ada')
    expect((await name('ada')).body.maintainer.access).toBe('active')
  })

  test('invited again, when it is named again', async () => {
    await name('ada')
    invitations.clear() // it has expired
    expect((await name('ada')).body.maintainer.access).toBe('invited')
    expect(access()).toEqual(['ada'])
    expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
  })

  test.each([
    ['invitation', false],
    ['access', true],
  ])('the former maintainer loses the %s before another is invited', async (_, accepted) => {
    await name('ada')
    if (accepted) {
      invitations.clear()
      members.add('ada')
    }
    calls = []
    expect((await name('bob')).body.maintainer.github_login).toBe('Bob')
    expect([await stored(), access()]).toEqual([['Bob'], ['bob']])
    expect(calls.findLastIndex((call) => call.startsWith('DELETE'))).toBeLessThan(calls.indexOf('PUT Bob'))
  })

  test('409 maintainer_in_progress for all but one of those that are named at once', async () => {
    const names = ['ada', 'bob', 'cyd', 'ada', 'cyd', 'bob']
    let first: (() => void) | undefined
    const isInviting = new Promise<void>((resolve) => {
      disturb = async (call) => {
        if (!call.startsWith('PUT')) return undefined
        resolve()
        await new Promise<void>((go) => {
          first = go
        })
        return undefined
      }
    })
    const [winner = '', ...others] = names
    const named = name(winner)
    await isInviting
    for (const response of await Promise.all(others.map((login) => name(login))))
      expectError(response, 'maintainer_in_progress')
    first?.()
    expect((await named).status).toBe(200)
    expect([await stored(), access()]).toEqual([['Ada'], ['ada']])
  })

  test('again at once after a request that failed, and 90 seconds after one that died', async () => {
    disturb = (call) => (call.startsWith('PUT') ? proxyPage : undefined)
    expectError(await name('ada'), 'repository_unreachable')
    disturb = () => undefined
    expect((await name('ada')).status).toBe(200)
    const claimFor = (interval: string) =>
      market.db
        .updateTable('project_maintainers')
        .set({ busy_until: sql`now() + ${interval}::interval` })
        .execute()
    await claimFor('1 second')
    expectError(await name('ada'), 'maintainer_in_progress')
    await claimFor('-1 second')
    expect((await name('ada')).status).toBe(200)
  })

  test('the former maintainer loses its access although it has another name now', async () => {
    await name('ada')
    invitations.clear()
    members.add('ada2')
    accounts.set('ada2', { id: 11, login: 'Ada2', type: 'User' })
    accounts.set('ada', { id: 99, login: 'Ada', type: 'User' }) // somebody else's now
    members.add('ada')
    await name('bob')
    expect(access()).toEqual(['ada', 'bob'])
    accounts.set('ada', { id: 11, login: 'Ada', type: 'User' })
    accounts.delete('ada2')
  })

  test('the former maintainer loses its access although the code host lists it nowhere', async () => {
    await name('ada')
    invitations.clear()
    members.add('ada')
    isHidden = true
    await name('bob')
    expect(access()).toEqual(['bob'])
  })

  test('after a request that died before it invited: the account it stored has no access any more', async () => {
    disturb = (call) => (call === 'PUT Ada' ? proxyPage : undefined)
    expectError(await name('ada'), 'repository_unreachable')
    disturb = () => undefined
    invitations.set(1100, 'ada') // the request had come through after all
    await name('bob')
    expect([await stored(), access()]).toEqual([['Bob'], ['bob']])
  })
})

describe('refused:', () => {
  test.each(['nobody', 'acme'])('400 github_login_not_found for %s', async (login) => {
    expectError(await name(login), 'github_login_not_found')
    expect(await stored()).toEqual([])
  })

  test('409 invitation_refused for an account that has more rights already, and keeps them', async () => {
    expectError(await name('root'), 'invitation_refused')
    expect(calls.filter((call) => call.startsWith('PUT'))).toEqual([])
  })

  test('409 invitation_refused where another repository has the address of the project', async () => {
    const projects = market.db.updateTable('projects').where('id', '=', project.id)
    const { repository_id } = await readRow(market.db, 'projects', { id: project.id })
    await projects.set({ repository_id: 123_456_789 }).execute()
    expectError(await name('ada'), 'invitation_refused')
    expect(access()).toEqual([])
    await projects.set({ repository_id }).execute()
  })

  test.each([
    [422, { message: 'Validation Failed' }],
    [403, { message: 'Upgrade to GitHub Pro or make this repository public.' }],
  ])('409 invitation_refused if the code host says %i', async (status, body) => {
    disturb = (call) => (call.startsWith('PUT') ? { status, body } : undefined)
    expectError(await name('ada'), 'invitation_refused')
  })

  test('502 repository_unreachable while its access cannot be taken back: the former maintainer stays stored', async () => {
    await name('ada')
    disturb = (call) => (call.startsWith('DELETE') ? proxyPage : undefined)
    expectError(await name('bob'), 'repository_unreachable')
    expect([await stored(), access()]).toEqual([['Ada'], ['ada']])
  })
})
