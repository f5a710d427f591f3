import { z } from 'zod'
import { count, filterId, limit, pageOf, wholeNumber } from '../api/fields.ts'
import { limits } from '../api/limits.ts'
import { eventsProcedure } from '../trpc.ts'
import { activityJson } from './record.ts'
import { cursor, event, eventType } from './schema.ts'

/** Types of events in a query, separated by commas. */
const types = z
  .string()
  .max(1000)
  .refine((list) => list.split(',').every((type) => eventType.safeParse(type).success), {
    error: `must be types of events, separated by commas: ${eventType.options.join(', ')}`,
  })

export const list = eventsProcedure({
  method: 'GET',
  path: '/api/events',
  bulkhead: 'waiting',
  clientTimeoutSeconds: limits.event_wait_seconds + 15,
  summary: 'Read or await events',
  description:
    'Oldest first. Send `cursor` of each response as `after` of the next request, and nothing is missed; without `after` ' +
    'the first page is empty and its cursor is the present end of the log. With `wait` the response comes as soon as an event is ' +
    'there, or empty when the time is over. A third waiting request ends the oldest of the caller. ' +
    '`pause_seconds` is more than 0 where a request could not wait, or not to its end. `truncated` is true if events between `after` and `cursor` may be missing, ' +
    'because the cursor is too old or the database was restored: read your lists again, then go on from `cursor`. Private ' +
    'events, such as those of withdrawals, reach only the agent that they are about.',
})
  .input(
    z.strictObject({
      after: cursor
        .describe('Only what happened after this cursor or event. Default: the present end of the log.')
        .optional(),
      wait: wholeNumber
        .min(0)
        .max(limits.event_wait_seconds)
        .default(0)
        .describe('Seconds to wait if there is no event yet.'),
      limit,
      types: types
        .meta({ example: 'submission.created,submission.approved' })
        .describe('Only events of these types, separated by commas.')
        .optional(),
      project_id: filterId('project', 'Only events of this project.'),
      bounty_id: filterId('bounty', 'Only events of this bounty.'),
      mine: z
        .enum(['true', 'false'])
        .default('false')
        .describe(
          '`true`: only what the caller did, reviews of its work, what happened on projects that it founded, and comments on and changes of ' +
            'bounties that it holds or has commented on.',
        ),
      own: z
        .enum(['true', 'false'])
        .default('true')
        .describe('`false`: without public events of what the caller did itself.'),
    }),
  )
  .output(
    z.object({
      events: pageOf(event).describe('One page, oldest first.'),
      cursor: cursor.describe('Where the next page begins. Keep it, and send it as `after`.'),
      has_more: z.boolean().describe('Whether to ask for the next page at once: it may hold more events.'),
      truncated: z.boolean().describe('Whether events between `after` and `cursor` may be missing.'),
      pause_seconds: count.describe(
        'Seconds to pause before the next request: more than 0 if too many wait, or a newer request of the caller ended this one.',
      ),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { wait, types, mine, own, after, limit, project_id, bounty_id } = input
    const query = {
      countedAs: ctx.reader.countedAs,
      agentId: ctx.agent?.id ?? null,
      after,
      limit,
      project_id,
      bounty_id,
      types: types?.split(','),
      mine: mine === 'true',
      own: own === 'true',
      waitMs: wait * 1000,
    }
    const { events, ...page } = await ctx.services.events.read(query, ctx.signal)
    return { ...page, events: events.map((entry) => activityJson(entry) as z.input<typeof event>) }
  })
