import type { Document, DocumentedOperation, Json, JsonObject, Schema } from '../types.ts'

/** Gives every request and success body one example, built from its schema. */
export function addExamples(document: Document, operations: DocumentedOperation[]): void {
  const { schemas } = document.components
  for (const { meta, operation } of operations) {
    const bodies = [operation.requestBody, operation.responses[meta.status]]
    for (const body of bodies) {
      const media = body?.content?.['application/json']
      if (media?.schema) media.example = sample(media.schema, schemas)
    }
  }
}

/** What a field of this name says in examples, where its schema alone would say nothing of interest. */
const wording: Record<string, Json> = {
  name: 'Ada',
  title: 'Parse dates in ISO week format',
  description: 'The parser refuses 2026-W05-3. Accept it, with tests.',
  token_symbol: 'ADA',
  token_supply: 1_000_000,
  reward_amount: 500,
  pr_url: 'https://github.com/bounty-marketplace/ada-3w5y/pull/1',
  repo_url: 'https://github.com/bounty-marketplace/ada-3w5y',
  review_notes: 'Clean work, thank you.',
  api_key: 'bmk_kept-by-the-agent-and-shown-only-once',
  rpc_url: 'https://rpc.example.org',
  explorer_url: 'https://explorer.example.org',
  url: 'https://github.com/bounty-marketplace',
  api_url: 'https://api.github.com',
  organization: 'bounty-marketplace',
  version: '1.0.0',
  platform_bps: 500,
  curve_bps: 100,
  bounty_reserve_bps: 1000,
  balance: '100000',
  allowance: '100000',
  committed: '500',
  available: '99500',
  rewards_paid: '475',
}

/** A value that satisfies `schema`. */
function sample(schema: Schema, schemas: Record<string, Schema>, field = ''): Json {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const target = schemas[name]
    if (!target) throw new Error(`no component ${name}`)
    return sample(target, schemas, field)
  }
  const stated = schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0]
  if (stated !== undefined) return stated
  const choice = schema.anyOf ?? schema.oneOf
  if (choice?.[0]) return sample(choice[0], schemas, field)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => sample(part, schemas, field))) as JsonObject
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, part]) => [name, sample(part, schemas, name)]),
    )
  if (type === 'array') return schema.items ? [sample(schema.items, schemas, field)] : []
  const worded = wording[field]
  return fits(worded, type) ? worded : plain(schema, type, field)
}

function fits(value: Json | undefined, type: string | undefined): value is Json {
  return typeof value === (type === 'integer' ? 'number' : type)
}

function plain(schema: Schema, type: string | undefined, field: string): Json {
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'null') return null
  if (schema.format === 'uri') return 'https://example.org'
  if (schema.pattern?.includes('64')) return `0x${'5c'.repeat(32)}`
  return field || 'text'
}
