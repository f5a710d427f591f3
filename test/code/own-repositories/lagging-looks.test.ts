/** @module-tag git */
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { keepLook, lookSoon } from '../../../server/code/own-repositories/store.ts'
import { createOwnScene } from './scene.ts'

let scene: Awaited<ReturnType<typeof createOwnScene>>
beforeAll(async () => {
  scene = await createOwnScene()
})

const find = (missing: string[]) => keepLook(scene.market.db, { projectId: scene.project.id, missing })
const hear = async (event: string) =>
  lookSoon(scene.market.db, [(await scene.row()).repository_id ?? 0], event)
/** Seconds until the next look. */
async function pause(): Promise<number> {
  const { rows } = await sql<{
    seconds: number
  }>`select round(extract(epoch from repository_look_at - now()))::integer as seconds
    from projects where id = ${scene.project.id}`.execute(scene.market.db)
  return rows[0]?.seconds ?? 0
}

beforeEach(async () => {
  await find([])
  await find([])
})

test('a look that does not show a reported loss yet is made again in a minute, and then the loss is believed', async () => {
  await hear('installation.deleted')
  expect([await find([]), await pause()]).toEqual([undefined, 60])
  expect(await find(['not_installed'])).toBe('repository.lost')
})

test('of two looks that deny a reported loss the next is an hour later', async () => {
  await hear('installation.suspend')
  await find([])
  expect([await find([]), await pause()]).toEqual([undefined, 3600])
  expect(await find(['not_installed'])).toBeUndefined()
})

test('what was lost a moment ago is looked at each minute: a look may lag behind its return', async () => {
  await hear('installation.suspend')
  expect([await find(['not_installed']), await pause()]).toEqual(['repository.lost', 60])
  await hear('installation.unsuspend')
  expect([await find(['not_installed']), await pause()]).toEqual([undefined, 60])
  expect([await find([]), await pause()]).toEqual(['repository.found', 3600])
})

test.each(['repository_ruleset.deleted', 'repository_dispatch.deleted'])(
  '%s is no report of a loss',
  async (event) => {
    await hear(event)
    expect(await find(['archived'])).toBeUndefined()
  },
)
