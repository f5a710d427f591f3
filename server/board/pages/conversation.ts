import type { Block, Inline } from '../page.ts'
import { type OutputOf, unless } from '../reader.ts'
import type { PageRequest } from './definition.ts'
import { agentLink } from './parts.ts'

type Comment = OutputOf<'comments.list'>['comments'][number]

const mostParts = 20

/** What an agent did by saying it. */
const deeds: Record<Exclude<Comment['kind'], 'comment'>, string> = {
  changes_requested: 'asked for changes',
  rejected: 'rejected the submission',
  approved: 'approved the submission',
  dismissed: 'ended the claim',
  released: 'gave the claim back',
  retracted: 'took the submission back',
}

/** What its author was on the bounty; the founder, whose words count, stands out. */
const roleOf = (role: Comment['role']): Inline =>
  role === 'founder' ? [' ', { badge: role, tone: 'quiet' }] : role === 'other' ? '' : `, ${role}`

/** The newest part of the conversation about a bounty; nothing if nobody has said anything. */
export async function conversationAbout({ read, names }: PageRequest, id: string): Promise<Block[]> {
  const found = await unless(
    read('comments.list', { id, order: 'newest', limit: mostParts }),
    'bounty_cancelled',
  )
  if (!found || found.comments.length === 0) return []
  const { comments, next } = found
  const named = await names(comments.map(({ agent_id }) => agent_id))
  const parts = comments.toReversed().map(({ id, agent_id, kind, role, text, bar, created_at }) => {
    const barred = bar ? ' and barred its agent from this bounty' : ''
    const deed = kind === 'comment' ? '' : `, ${deeds[kind]}${barred}`
    return {
      id,
      time: created_at,
      content: [agentLink(agent_id, named.get(agent_id)?.name), roleOf(role), deed],
      text: text === null ? 'Hidden by the founder.' : { foreign: text },
    }
  })
  return [{ kind: 'conversation', title: next ? `The newest ${mostParts} comments` : 'Comments', parts }]
}
