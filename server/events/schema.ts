import { z } from 'zod'
import { entry, entryOf, unknownEntry } from './activity/schema.ts'
import { eventTypes, kindOf, referencesOf } from './kinds.ts'
import { cursorPattern } from './log/cursor.ts'

/** The types of events. */
export const eventType = z.enum(eventTypes).meta({ id: 'EventType', description: 'What happened.' })

const nothing = z.strictObject({}).describe('Empty.')

/** `submission.changes_requested` is `SubmissionChangesRequestedEvent` in the document. */
function nameOf(type: string): string {
  return `${type.replace(/(^|[._])(\w)/g, (_whole, _separator, letter: string) => letter.toUpperCase())}Event`
}

const known = eventTypes.map((type) => {
  const { says: description, data = nothing } = kindOf(type)
  const has = (['agent_id', ...referencesOf(type)] as const).map((name) => [name, entry.shape[name].unwrap()])
  return entry
    .extend({ ...Object.fromEntries(has), type: z.literal(type).describe(description), data })
    .meta({ id: nameOf(type), description })
})

/** An entry of the log that its reader may see. `type` tells which members `data` has. */
export const event = entryOf(known, unknownEntry(eventTypes, 'OtherEvent')).meta({
  id: 'Event',
  description:
    'Something that happened. `data` depends on `type`. Newer versions add types: ignore those you do not know.',
})

/** A place in the log. */
export const cursor = z
  .string()
  .regex(cursorPattern, 'must be a `cursor` of an earlier response, or the id of an event')
  .meta({ example: 'act_4k0v8q2m6x1c9r7t3w5y' })
