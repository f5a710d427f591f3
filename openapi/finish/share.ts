import { z } from 'zod'
import {
  acceptedBy,
  address,
  commitSha,
  decimal,
  id,
  timestamp,
  transactionHash,
} from '../../server/api/fields.ts'
import { minApproved, rewardAmount } from '../../server/market/bounties/schema.ts'
import { tokenSupply, tokenSymbol } from '../../server/market/projects/schema.ts'
import { nameOf } from '../references.ts'
import type { Document, DocumentedOperation, Parameter, Schema } from '../types.ts'
import { pascalCase, walk } from './names.ts'

/** What stands in many places, by its name in the document. */
const fields: Record<string, z.ZodType> = {
  AgentId: id('agent'),
  ProjectId: id('project'),
  BountyId: id('bounty'),
  SubmissionId: id('submission'),
  EventId: id('activity', 'Id of the event or entry.'),
  CommentId: id('comment'),
  WithdrawalId: id('withdrawal'),
  AllowanceId: id('allowance'),
  WebhookId: id('webhook'),
  Timestamp: timestamp('it happened').describe('ISO 8601 in UTC, to the millisecond.'),
  Address: address.describe('A wallet or contract address.'),
  TransactionHash: transactionHash.describe('The hash of a transaction.'),
  CommitSha: commitSha.describe('A commit of git.'),
  TokenSymbol: tokenSymbol,
  TokenSupply: tokenSupply,
  RewardAmount: rewardAmount,
  MinApproved: minApproved,
  AcceptedBy: acceptedBy,
  Decimal: decimal.describe('An amount of whole tokens or of ether with up to 18 decimals.'),
}

/** Makes a component of each of {@link fields}. Where it stood there is a reference, with a description of its own. */
export function shareFields({ components, paths }: Document): void {
  const shared = Object.entries(fields).map(([name, field]): [string, Schema] => {
    const {
      $schema: _,
      example,
      ...schema
    } = z.toJSONSchema(field, { io: 'input' }) as unknown as Schema & {
      $schema: string
    }
    return [name, { ...schema, ...(example !== undefined && { examples: [example] }) }]
  })
  const names = new Map(shared.map(([name, schema]) => [constraintsOf(schema), name]))
  const share = (part: Schema) => {
    const name = names.get(constraintsOf(part))
    if (!name) return
    const description = part.description
    for (const member of Object.keys(part)) delete part[member as keyof Schema]
    part.$ref = `#/components/schemas/${name}`
    if (description !== undefined && description !== sharedDescription(name)) part.description = description
  }
  const sharedDescription = (name: string) => shared.find(([other]) => other === name)?.[1].description
  for (const schema of Object.values(components.schemas)) walk(schema, share)
  for (const methods of Object.values(paths))
    for (const { parameters = [] } of Object.values(methods))
      for (const { schema } of parameters) if (schema) walk(schema, share)
  Object.assign(components.schemas, Object.fromEntries(shared))
}

/** What a schema allows, apart from its description. */
function constraintsOf({ type, format, pattern, maxLength, examples, ...rest }: Schema): string {
  const { description: _, ...more } = rest
  return JSON.stringify({ type, format, pattern, maxLength, examples, ...more })
}

/**
 * Describes the members that all events and entries have once, in `Entry`. Each kind of event or entry adds its type, its
 * data and the references that it always has.
 */
export function shareEntries({ components: { schemas } }: Document): void {
  const { description: _, ...whole } = schemas.OtherEvent ?? {}
  const entry: Schema = structuredClone(whole)
  const members = entry.properties ?? {}
  members.type = { type: 'string', description: 'What happened: an `EventType`, or what newer versions add.' }
  const variants = [schemas.Event, schemas.ActivityEntry].flatMap((union) => union?.anyOf ?? [])
  for (const { $ref = '' } of variants) {
    const variant = schemas[nameOf($ref)] ?? {}
    const own = Object.entries(variant.properties ?? {}).filter(
      ([name, schema]) => JSON.stringify(schema) !== JSON.stringify(members[name]),
    )
    variant.allOf = [
      { $ref: '#/components/schemas/Entry' },
      { type: 'object', properties: Object.fromEntries(own), required: own.map(([name]) => name) },
    ]
    delete variant.type
    delete variant.properties
    delete variant.required
  }
  schemas.Entry = { ...entry, description: 'The members of every event and every entry of the activity.' }
}

/** Makes a component of each parameter of a path or query that several operations have alike. */
export function shareParameters({ components }: Document, operations: DocumentedOperation[]): void {
  const uses = new Map<string, DocumentedOperation[]>()
  for (const documented of operations)
    for (const parameter of documented.operation.parameters ?? []) {
      const text = JSON.stringify(parameter)
      if (!parameter.$ref) uses.set(text, [...(uses.get(text) ?? []), documented])
    }
  const shared: Record<string, Parameter> = {}
  for (const documented of operations) {
    const { operation, path } = documented
    operation.parameters = (operation.parameters ?? []).map((parameter) => {
      const name = nameOfParameter(parameter, path)
      if ((uses.get(JSON.stringify(parameter)) ?? []).length < 2) return parameter
      // Of parameters of one name the first is shared; the others differ in their descriptions.
      shared[name] ??= parameter
      return JSON.stringify(shared[name]) === JSON.stringify(parameter)
        ? { $ref: `#/components/parameters/${name}` }
        : parameter
    })
  }
  components.parameters = { ...components.parameters, ...shared }
}

/** `BountyId` for the `id` of `/api/bounties/{id}`, `Limit` for `limit`. */
function nameOfParameter({ in: place, name = '', schema }: Parameter, path: string): string {
  if (place !== 'path') return pascalCase(name)
  return schema?.$ref ? nameOf(schema.$ref) : pascalCase(`${path}.${name}`)
}
