import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { breakingChanges, declaresBreaking } from '../../openapi/breaking.ts'
import type { Document, Operation, Schema } from '../../openapi/types.ts'
import { readDocument } from './truth.ts'

const run = promisify(execFile)
const before = readDocument()

function changed(change: (after: Document) => void): string[] {
  const after = structuredClone(before)
  change(after)
  return breakingChanges(before, after)
}

function component(
  document: Document,
  name: string,
): Schema & Required<Pick<Schema, 'properties' | 'required'>> {
  return document.components.schemas[name] as ReturnType<typeof component>
}

/** What an entry has in place of the members that all entries have. */
function ownPart(document: Document, name: string): Schema {
  return component(document, name).allOf?.at(-1) ?? {}
}

function operation(document: Document, path: string, method: 'get' | 'post'): Operation {
  return document.paths[path]?.[method] as Operation
}

function remove(names: string[], name: string): void {
  names.splice(names.indexOf(name), 1)
}

/** Two variants that hold together what `schema` holds: with a wallet, and without. */
function split(schema: Schema): Schema[] {
  const only = (wallet_type: Schema) => ({ ...schema, properties: { ...schema.properties, wallet_type } })
  return [only({ $ref: '#/components/schemas/WalletType' }), only({ type: 'null' })]
}

const breaks: [string, (after: Document) => void][] = [
  ['a path that is gone', (after) => delete after.paths['/api/activity']],
  ['a field that answers no longer have', (after) => delete component(after, 'Bounty').properties.title],
  ['a field that answers may lack', (after) => void component(after, 'Bounty').required.shift()],
  ['a value that answers did not have', (after) => void component(after, 'BountyStatus').enum?.push('lost')],
  [
    'a field that one variant of a union may lack',
    (after) => void remove(component(after, 'ActiveProject').required, 'repo_url'),
  ],
  [
    'a field that one variant of a union no longer has',
    (after) => delete ownPart(after, 'SubmissionApprovedActivity').properties?.data?.properties?.net,
  ],
  [
    'a new variant of a closed union in responses',
    (after) => {
      const { schemas } = after.components
      const archived = structuredClone(component(after, 'ProposedProject'))
      schemas.ArchivedProject = {
        ...archived,
        properties: { ...archived.properties, status: { type: 'string', const: 'archived' } },
      }
      schemas.Project?.oneOf?.push({ $ref: '#/components/schemas/ArchivedProject' })
    },
  ],
  [
    'a field that requests must have',
    (after) => void component(after, 'AgentsRegisterRequest').required.push('wallet_address'),
  ],
  [
    'a field that requests may not have',
    (after) => delete component(after, 'AgentsRegisterRequest').properties.wallet_address,
  ],
  [
    'null that an optional field of requests may not be any more',
    (after) => {
      component(after, 'AgentsRegisterRequest').properties.wallet_address = {
        $ref: '#/components/schemas/Address',
      }
    },
  ],
  [
    'a limit that is tighter',
    (after) =>
      void Object.assign(component(after, 'AgentsRegisterRequest').properties.name as Schema, {
        maxLength: 10,
      }),
  ],
  [
    'a query parameter that is gone',
    (after) => void operation(after, '/api/activity', 'get').parameters?.shift(),
  ],
  [
    'a field that webhooks no longer send',
    (after) => delete component(after, 'WebhookPayload').properties.timestamp,
  ],
  ['a webhook that is gone', (after) => delete after.webhooks?.challenge],
  [
    'another success status',
    ({ paths }) => {
      const responses = paths['/api/agents/register']?.post?.responses ?? {}
      responses['200'] = responses['201'] ?? {}
      delete responses['201']
    },
  ],
  [
    'a key that is needed now',
    (after) => void Object.assign(operation(after, '/api/activity', 'get'), { security: [{ apiKey: [] }] }),
  ],
]

test.each(breaks)('%s breaks clients', (_, change) => {
  expect(changed(change)).not.toEqual([])
})

const harmless: [string, (after: Document) => void][] = [
  ['nothing', () => undefined],
  [
    'a new field in responses',
    (after) => void Object.assign(component(after, 'Bounty').properties, { extra: { type: 'string' } }),
  ],
  [
    'a field that requests may have',
    (after) =>
      void Object.assign(component(after, 'AgentsRegisterRequest').properties, { extra: { type: 'string' } }),
  ],
  [
    'a field that requests may lack now',
    (after) => void component(after, 'AgentsRegisterRequest').required.pop(),
  ],
  [
    'a limit that is wider',
    (after) =>
      void Object.assign(component(after, 'AgentsRegisterRequest').properties.name as Schema, {
        maxLength: 1000,
      }),
  ],
  [
    'a variant more of a union that any type may join',
    (after) => {
      const { schemas } = after.components
      const archived = structuredClone(component(after, 'ProjectActivatedActivity'))
      schemas.ArchivedActivity = {
        ...archived,
        allOf: [
          { $ref: '#/components/schemas/Entry' },
          {
            type: 'object',
            properties: { type: { type: 'string', const: 'project.archived' } },
            required: ['type'],
          },
        ],
      }
      schemas.ActivityEntry?.anyOf?.push({ $ref: '#/components/schemas/ArchivedActivity' })
    },
  ],
  [
    'a union where there was an object that covers its variants',
    (after) => void Object.assign(component(after, 'Agent'), { oneOf: split(component(after, 'Agent')) }),
  ],
  [
    'null in a field that requests must have',
    (after) =>
      void Object.assign(component(after, 'AgentsRegisterRequest').properties.name as Schema, {
        type: ['string', 'null'],
      }),
  ],
  [
    'other words about a choice',
    (after) =>
      void Object.assign(component(after, 'Agent').properties.wallet_type as Schema, {
        description: 'Some.',
      }),
  ],
  [
    'a field more that webhooks send',
    (after) => {
      const payload = component(after, 'WebhookPayload')
      payload.properties.extra = { type: 'string' }
      payload.required.push('extra')
    },
  ],
  ['an error code more', (after) => void component(after, 'ErrorCode')['x-extensible-enum']?.push('lost')],
  ['a task action more', (after) => void component(after, 'TaskAction')['x-extensible-enum']?.push('lost')],
  [
    'other words',
    (after) => void Object.assign(operation(after, '/api/activity', 'get'), { summary: 'What happened' }),
  ],
]

test.each(harmless)('%s breaks nobody', (_, change) => {
  expect(changed(change)).toEqual([])
})

test.each([
  ['0.9.0', '0.9.0', true],
  ['1.2.0', '1.2.1', false],
  ['1.2.0', '1.3.0', false],
  ['1.2.0', '2.0.0', true],
  ['0.9.0', '1.0.0', true],
])('from %s to %s declared: %s', (from, to, declared) => {
  expect(declaresBreaking(from, to)).toBe(declared)
})

test('the check compares with the commit it is given', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const check = run('node_modules/.bin/tsx', ['openapi/check-breaking.ts', 'HEAD'], { cwd })
  const { stdout } = await check.catch((error: { stdout: string }) => error)
  expect(stdout).toMatch(/^\d+ breaking changes since HEAD|^no released document/)
})
