import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { serve } from '../http/serve.ts'
import { createAgents } from '../support/agents.ts'
import { createTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'
import { createPostgresProxy } from './proxies/postgres.ts'

const database = await createTestDatabase()
// The statement of a claim that keeps its answer names the operation, and so does one that keeps a refusal.
const proxy = await createPostgresProxy(database.url, [Buffer.from('bounties.claim')])
const behind = { url: proxy.url, drop: async () => undefined }
const processes = [await serve({ database: behind }), await serve({ database: behind })] as const
const [{ db }] = processes
afterAll(async () => {
  proxy.heal()
  for (const { close } of processes) await close()
  await proxy.close()
  await database.drop()
})

const bountiesWanted = 40
const claimantsEach = 3
const cutsOfEach = 40

interface Claimant {
  id: string
  key: string
  idempotencyKey: string
  bountyId: string
}

async function claim({ key, idempotencyKey, bountyId }: Claimant, attempt: number) {
  const { api } = processes[attempt % 2 === 0 ? 0 : 1]
  return api('POST', `/api/bounties/${bountyId}/claim`, {
    key,
    headers: { 'idempotency-key': idempotencyKey },
  })
}

test('a claim that is repeated under one Idempotency-Key gets a true response, whenever the connection breaks', async () => {
  const rows = createRows(db)
  const bounties = await Promise.all(Array.from({ length: bountiesWanted }, () => rows.bounty()))
  const crowd = await createAgents(db, bountiesWanted * claimantsEach)
  const claimants = crowd.map(
    (agent, index): Claimant => ({
      ...agent,
      idempotencyKey: randomUUID(),
      bountyId: bounties[index % bountiesWanted] as string,
    }),
  )
  const cuts = Array.from({ length: cutsOfEach }, (_, index) => [
    proxy.cutAtCommit('before', index * 3),
    proxy.cutAtCommit('after', index * 3 + 1),
  ]).flat()

  const responses = await Promise.all(
    claimants.map(async (claimant, index) => {
      for (let attempt = index; ; attempt++) {
        const answer = await claim(claimant, attempt)
        if (answer.status < 500) return { claimant, ...answer }
      }
    }),
  )

  expect(cuts.filter((isMet) => isMet()).length).toBeGreaterThan(cutsOfEach)
  for (const bountyId of bounties) {
    const answers = responses.filter(({ claimant }) => claimant.bountyId === bountyId)
    const won = answers.filter(({ status }) => status === 200).map(({ claimant }) => claimant.id)
    const row = await db
      .selectFrom('bounties')
      .where('id', '=', bountyId)
      .select('claimed_by')
      .executeTakeFirst()
    expect(won).toEqual([row?.claimed_by])
    for (const { status, body } of answers)
      if (status !== 200) expect(body.error.code).toBe('bounty_not_open')
    const feed = db.selectFrom('activity').where('bounty_id', '=', bountyId).select('agent_id')
    expect(await feed.execute()).toEqual([{ agent_id: row?.claimed_by }])
  }
  proxy.heal()
  // A claim that was refused is tried anew, and refused for the same reason.
  for (const { claimant, status, body } of responses) {
    const again = await claim(claimant, 0)
    if (status === 200) expect(again).toMatchObject({ status, body })
    else expect([again.status, again.body.error.code]).toEqual([status, body.error.code])
  }
}, 120_000)
