/** @module-tag git */
import { beforeAll, expect, test } from 'vitest'
import { openLapsed } from '../../../server/market/deadlines/store.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createOwnScene } from './scene.ts'

let scene: Awaited<ReturnType<typeof createOwnScene>>
beforeAll(async () => {
  scene = await createOwnScene()
})

const isLost = async () => (await scene.row()).repository_lost_at !== null
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

test.each(['claim_expires_at', 'proof_due_at'] as const)(
  'a claim does not end whose %s comes between two looks at a repository that is lost',
  async (deadline) => {
    const { db } = scene.market
    const { bounty, claimant } = await scene.claimed()
    const { id } = bounty
    await scene.installs('DELETE')
    await until(isLost)
    await setRows(db, 'projects', { id: scene.project.id }, { repository_looked_at: inSeconds(-60) })
    const due = inSeconds(-1)
    // The code host has said since what it has merged, so that nothing but the loss keeps the claim.
    const over = { proof_due_at: null, [deadline]: due, look_at: due, listed_at: new Date() }
    await setRows(db, 'bounties', { id }, over)
    await until(async () => ((await readRow(db, 'bounties', { id })).look_at ?? due) > due)
    await openLapsed(db, 100)
    await scene.installs('PUT')
    await until(async () => !(await isLost()))
    const row = await readRow(db, 'bounties', { id })
    expect([row.status, (row[deadline] ?? due) > inSeconds(3000)]).toEqual(['claimed', true])
    expect((await scene.market.act(bounty, 'release', claimant)).status).toBe(200)
  },
)
