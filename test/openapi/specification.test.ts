import { expect, test } from 'vitest'
import { resolve } from '../../openapi/references.ts'
import type { Method, Schema } from '../../openapi/types.ts'
import { readDocument } from './truth.ts'

const document = readDocument()
const text = (most: number) => ({ type: 'string', minLength: 1, maxLength: most })
const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }
const difficulty = { type: 'string', enum: ['easy', 'medium', 'hard', 'extreme'] }
const limit = { type: 'integer', minimum: 1, maximum: 100, default: 20 }
const offset = { type: 'integer', minimum: 0, default: 0 }

/** The fields of the specification with its limits; the walk over all operations refuses what the document does not allow. */
const specified: [operation: string, required: string[], fields: Record<string, object>][] = [
  ['POST /api/agents/register', ['name'], { name: text(200), wallet_address: address }],
  ['PATCH /api/agents/me/wallet', ['wallet_address'], { wallet_address: address }],
  [
    'POST /api/projects',
    ['name', 'description', 'token_symbol', 'token_supply'],
    {
      name: text(200),
      description: text(2000),
      token_symbol: { type: 'string', pattern: '^[A-Za-z0-9]{1,20}$' },
      token_supply: { type: 'integer', minimum: 1, maximum: 1_000_000_000_000 },
    },
  ],
  [
    'POST /api/projects/{id}/bounties',
    ['title', 'description', 'reward_amount'],
    {
      title: text(200),
      description: text(2000),
      difficulty,
      reward_amount: { type: 'integer', minimum: 1 },
    },
  ],
  ['POST /api/bounties/{id}/submit', ['pr_url'], { pr_url: text(2000) }],
  ['POST /api/bounties/{id}/approve', [], { review_notes: { type: ['string', 'null'] } }],
  ['POST /api/bounties/{id}/reject', ['review_notes'], { review_notes: text(5000) }],
  [
    'GET /api/bounties',
    [],
    {
      status: { type: 'string', enum: ['open', 'claimed', 'in_review', 'done'] },
      project_id: { type: 'string' },
      difficulty,
      q: text(200),
      limit,
      offset,
    },
  ],
  ['GET /api/projects', [], { limit, offset }],
  ['GET /api/activity', [], { limit }],
]

test.each(specified)(
  '%s takes the fields of the specification with its limits',
  (operation, required, fields) => {
    const [method = '', path = ''] = operation.split(' ')
    const { parameters = [], requestBody } = document.paths[path]?.[method.toLowerCase() as Method] ?? {}
    const query = parameters.map((parameter) => resolve(document, parameter))
    const given = requestBody?.content['application/json']?.schema
    const body = given ? resolve(document, given) : undefined
    const found: Record<string, Schema | undefined> =
      body?.properties ?? Object.fromEntries(query.map(({ name, schema }) => [name, schema]))
    expect(body?.required ?? []).toEqual(required)
    for (const [name, expected] of Object.entries(fields)) {
      const schema = resolve(document, found[name] as Schema)
      // An optional field may be null, too.
      const [form = schema] = schema.anyOf ?? []
      expect(resolve(document, form), name).toMatchObject(expected)
    }
  },
)
