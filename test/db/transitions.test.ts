import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { violatedConstraint } from '../../server/db/transaction.ts'
import { openTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'

const { db } = await openTestDatabase()
const rows = createRows(db)

const newAddress = () => `0x${randomBytes(20).toString('hex')}`

/**
 * A state machine: its states, its edges, and what a row in a state has besides. One trigger function keeps all of them; that
 * it is given the edges of bounties and submissions is tested in lifecycle/edges.test.ts.
 */
const machines = [
  {
    table: 'projects',
    edges: ['proposed>active'],
    states: {
      proposed: () => ({ founder_wallet: null, repo_url: null, token_address: null, curve_address: null }),
      active: () => ({
        founder_wallet: newAddress(),
        repo_url: 'https://example.org/repository',
        token_address: newAddress(),
        curve_address: newAddress(),
      }),
    },
    create: () => rows.project(),
  },
  {
    table: 'relays',
    edges: ['running>confirmed', 'running>failed', 'confirmed>running', 'failed>running'],
    states: {
      running: () => ({ tx_hash: null }),
      confirmed: () => ({ tx_hash: `0x${'a'.repeat(64)}`, confirmed_at: new Date() }),
      failed: () => ({ tx_hash: null, error_code: 'authorization_expired', error: 'It has expired.' }),
    },
    create: () => rows.relay(),
  },
]

describe.each(machines)('the states of $table', ({ table, edges, states, create }) => {
  const names = Object.keys(states)
  const steps = names.flatMap((from) => names.filter((to) => to !== from).map((to) => `${from}>${to}`))

  async function step(id: string, to: string) {
    const fields = states[to as keyof typeof states] as () => Record<string, unknown>
    const set = { status: to, ...fields() }
    const changes = sql.join(Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
    await sql`update ${sql.table(table)} set ${changes} where id = ${id}`.execute(db)
  }

  /** The shortest way of allowed steps from the first state. */
  function wayTo(state: string, from = names[0] as string, seen: string[] = []): string[] | undefined {
    if (from === state) return []
    for (const edge of edges.filter((each) => each.startsWith(`${from}>`) && !seen.includes(each))) {
      const next = edge.split('>')[1] as string
      const rest = wayTo(state, next, [...seen, edge])
      if (rest) return [next, ...rest]
    }
    return undefined
  }

  async function rowAt(state: string): Promise<string> {
    const id = await create()
    for (const next of wayTo(state) ?? []) await step(id, next)
    return id
  }

  test.each(edges)('%s is allowed', async (edge) => {
    const [from, to] = edge.split('>') as [string, string]
    await step(await rowAt(from), to)
  })

  test.each(steps.filter((each) => !edges.includes(each)))('%s is refused', async (each) => {
    const [from, to] = each.split('>') as [string, string]
    const refused = await step(await rowAt(from), to).catch((error) => error)
    expect(violatedConstraint(refused)).toBe(`${table}_transition`)
  })

  test('any other word is refused', async () => {
    const set = sql`update ${sql.table(table)} set status = 'lost' where id = ${await create()}`
    const refused = await set.execute(db).catch((error) => error)
    expect(violatedConstraint(refused)).toMatch(new RegExp(`^${table}_(transition|status_check)$`))
  })
})
