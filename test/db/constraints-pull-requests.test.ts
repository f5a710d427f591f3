import type { Insertable } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { GithubDeliveries, ProjectMaintainers } from '../../server/db/generated/tables.ts'
import { openTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'
import { expectRefused } from './support/refused.ts'

const { db, close } = await openTestDatabase()
afterAll(close)
const rows = createRows(db)
const commit = 'a'.repeat(40)

describe('pull requests', () => {
  test.each([
    ['the number 0', { number: 0 }, 'pull_requests_number_check'],
    ['an unknown state', { state: 'lost' as 'gone' }, 'pull_requests_state_check'],
    ['a shortened newest commit', { head_sha: 'abc1234' }, 'pull_requests_head_sha_check'],
    ['a newest commit in capitals', { head_sha: 'A'.repeat(40) }, 'pull_requests_head_sha_check'],
    [
      'a shortened merge commit',
      { merged: true, merge_commit_sha: 'abc1234' },
      'pull_requests_merge_commit_sha_check',
    ],
    ['one that is merged and open', { merged: true, state: 'open' as const }, 'pull_requests_merged'],
    ['a merge commit without a merge', { merge_commit_sha: commit }, 'pull_requests_merge_commit'],
    ['an author without a name', { author_id: 1 }, 'pull_requests_author'],
    ['an author without an id', { author_login: 'octocat' }, 'pull_requests_author'],
    [
      'more than 20 named ids',
      { named_ids: Array.from({ length: 21 }, (_, number) => `bnt_${number}`) },
      'pull_requests_named_ids_check',
    ],
    ['fewer added lines than none', { additions: -1 }, 'pull_requests_additions_check'],
    ['fewer deleted lines than none', { deletions: -1 }, 'pull_requests_deletions_check'],
    ['fewer changed files than none', { changed_files: -1 }, 'pull_requests_changed_files_check'],
    ['unknown checks', { checks_state: 'flaky' as 'none' }, 'pull_requests_checks_state_check'],
    ['a project that does not exist', { project_id: 'proj_x' }, 'pull_requests_project_id_fkey'],
  ])('refuse %s', async (_, fields, constraint) => {
    await expectRefused(rows.pullRequest(fields), constraint)
  })

  test('refuse an address twice, and a number of a project under another address', async () => {
    const project_id = await rows.project()
    const url = await rows.pullRequest({ project_id, number: 7 })
    await expectRefused(rows.pullRequest({ project_id, number: 8, url }), 'pull_requests_pkey')
    const other = 'https://host.example/acme/renamed/pull/7'
    await expectRefused(rows.pullRequest({ project_id, number: 7, url: other }), 'pull_requests_of_project')
    await rows.pullRequest({ number: 7 })
  })

  test('take SHA-1 and SHA-256', async () => {
    const merge_commit_sha = 'c'.repeat(64)
    await rows.pullRequest({ head_sha: commit })
    await rows.pullRequest({ head_sha: 'b'.repeat(64), merged: true, merge_commit_sha })
  })
})

describe('maintainers', () => {
  const name = async (fields: Partial<Insertable<ProjectMaintainers>> = {}) => {
    const project_id = fields.project_id ?? (await rows.project())
    const row = { account_id: 1, login: 'octocat', ...fields, project_id }
    await db.insertInto('project_maintainers').values(row).execute()
    return project_id
  }

  test('refuse a second one of a project; an account may maintain several projects', async () => {
    const project_id = await name()
    await expectRefused(name({ project_id, account_id: 2 }), 'project_maintainers_pkey')
    await name()
  })

  test('refuse a project that does not exist', async () => {
    await expectRefused(name({ project_id: 'proj_x' }), 'project_maintainers_project_id_fkey')
  })
})

describe('deliveries of the code host', () => {
  const store = (fields: Partial<Insertable<GithubDeliveries>> = {}) =>
    db
      .insertInto('github_deliveries')
      .values({ id: 'delivery', event: 'ping', ...fields })
      .execute()

  test.each([
    ['an id', { id: 'x'.repeat(101) }, 'github_deliveries_id_check'],
    ['an event', { event: 'x'.repeat(101) }, 'github_deliveries_event_check'],
    ['an action', { action: 'x'.repeat(101) }, 'github_deliveries_action_check'],
  ])('refuse %s of 101 characters', async (_, fields, constraint) => {
    await expectRefused(store(fields), constraint)
  })

  test('refuse an id twice', async () => {
    await store({ id: 'same' })
    await expectRefused(store({ id: 'same', event: 'push' }), 'github_deliveries_pkey')
    const stored = db.selectFrom('github_deliveries').where('id', '=', 'same').select('event')
    expect(await stored.execute()).toEqual([{ event: 'ping' }])
  })
})
