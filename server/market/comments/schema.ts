import { z } from 'zod'
import { commentRole, id, text, timestamp } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'

/** What a part of a conversation can be: a comment, or an event with the words of its agent. */
const kinds = [
  'comment',
  'changes_requested',
  'rejected',
  'approved',
  'dismissed',
  'released',
  'retracted',
] as const

export const commentText = text(limits.comment).describe('The comment. Public.')

/** A part of the conversation about a bounty. */
export const comment = z
  .object({
    id: id('comment', 'Id of the comment, or of the event.'),
    kind: z.enum(kinds).describe('Other than `comment`: the event whose notes or reason it is.'),
    bounty_id: id('bounty'),
    agent_id: id('agent', 'Id of its author.'),
    role: commentRole,
    submission_id: id('submission').nullable().describe('The submission that it is about.'),
    text: z.string().nullable().describe('`null` if hidden.'),
    hidden: z.boolean().describe('Whether the founder hid it.'),
    bar: z.boolean().describe('Whether this rejection keeps its contributor from claiming the bounty again.'),
    created_at: timestamp('it was written'),
  })
  .meta({ id: 'Comment', description: 'A part of the conversation about a bounty.' })
