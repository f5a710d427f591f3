import type { Schema } from '../../openapi/types.ts'
import { taskIds } from '../../server/market/agents/tasks/ids.ts'

const ids = ['project_id', 'bounty_id', 'submission_id', 'webhook_id'] as const
type Ids = { [Name in (typeof ids)[number]]?: 'always' | 'sometimes' }

/**
 * `Task` as a union by `action`, of the fields of all tasks and those that depend on the action. Only the types of this package are
 * one: in the document, other generators would make more of the union than their users need.
 */
export function taskSchemas({ properties = {}, required = [], description }: Schema): Record<string, Schema> {
  const { action: _, revision, ...rest } = properties
  const facts = Object.entries(rest).filter(([name]) => !(ids as readonly string[]).includes(name))
  const variant = (action: Schema, present: Ids): Schema => {
    const fields: Record<string, Schema> = { action }
    for (const name of ids) fields[name] = presence(properties[name] ?? {}, present[name])
    fields.revision = presence(revision ?? {}, present.bounty_id)
    return { type: 'object', properties: fields, required: Object.keys(fields) }
  }
  const actionsByIds = new Map<string, string[]>()
  for (const [action, present] of Object.entries<Ids>(taskIds)) {
    const key = JSON.stringify(present)
    actionsByIds.set(key, [...(actionsByIds.get(key) ?? []), action])
  }
  const known = [...actionsByIds].map(([key, actions]) =>
    variant({ type: 'string', enum: actions }, JSON.parse(key)),
  )
  const unlisted = variant({ not: {} }, Object.fromEntries(ids.map((name) => [name, 'sometimes'])))
  const names = facts.map(([name]) => name)
  return {
    TaskFacts: {
      type: 'object',
      description: 'What every task has, whatever its action.',
      properties: Object.fromEntries(facts),
      required: required.filter((name) => names.includes(name)),
    },
    Task: {
      ...(description && { description }),
      allOf: [{ $ref: '#/components/schemas/TaskFacts' }, { anyOf: [...known, unlisted] }],
    },
  }
}

/** A field that may be null, as it is in a variant. */
function presence(field: Schema, when: 'always' | 'sometimes' | undefined): Schema {
  if (when === 'sometimes') return field
  if (when === undefined) return { type: 'null' }
  const [value] = field.anyOf ?? []
  return { ...value, ...(field.description && { description: field.description }) }
}
