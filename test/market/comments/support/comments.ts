import type { TestMarket } from '../../../support/market.ts'
import type { TestAgent } from '../../../support/scenarios.ts'

/** A part of a conversation as responses have it. */
export interface Part {
  id: string
  kind: string
  agent_id: string
  role: string
  submission_id: string | null
  text: string | null
  hidden: boolean
  created_at: string
}

/** What tests do with the conversation about a bounty. */
export function commentsOn(market: TestMarket) {
  const pathOf = ({ id }: { id: string }, rest = '') => `/api/bounties/${id}/comments${rest}`
  const send = (bounty: { id: string }, { key }: { key?: string | undefined }, text: unknown, headers = {}) =>
    market.api('POST', pathOf(bounty), { key, headers, body: { text } })
  return {
    send,
    async write(bounty: { id: string }, agent: TestAgent, text = 'Why?'): Promise<Part> {
      const { status, body } = await send(bounty, agent, text)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body.comment
    },
    hide: (bounty: { id: string }, { key }: { key: string }, id: string) =>
      market.api('POST', pathOf(bounty, `/${id}/hide`), { key }),
    list: (bounty: { id: string }, { key }: { key: string }, query = '') =>
      market.api('GET', pathOf(bounty, query), { key }),
  }
}
