import type { AgentsBountiesResponse, OwnBounty } from '../../../sdk/src/generated/schema.ts'
import type { Row } from '../page.ts'
import { createActions } from './actions.ts'
import { type BountyFields, bountyFields } from './bounty-fields.ts'
import { button, element, fill, paragraph } from './dom.ts'
import { entry, section, show } from './entries.ts'
import { form } from './form.ts'
import { createMessages, type Messages, report } from './messages.ts'
import type { Desk, Part } from './part.ts'

const groups = [
  ['In review', /in_review/],
  ['Claimed', /claimed/],
  ['Open', /open/],
  ['Done', /done|cancelled/],
] as const
const shown = 50

/** What a founder has posted, in all states: open bounties can be changed and cancelled, claims ended. */
export function createBounties(desk: Desk): Part {
  const messages = createMessages()
  const lists = element('div', 'panel')

  async function refresh(): Promise<number> {
    const path = `/agents/me/bounties?limit=${shown}`
    const { bounties, next } = await desk.api.get<AgentsBountiesResponse>(path)
    const underWay = bounties.filter(({ status }) => !/done|cancelled/.test(status)).length
    const rowOf = await desk.rows(bounties.map(({ id }) => id))
    // What is being changed stays.
    if (lists.querySelector('form, .confirm')) return underWay
    const parts = groups.flatMap(([title, statuses]) => {
      const some = bounties.filter(({ status }) => statuses.test(status))
      return section(
        title,
        some.map((bounty) => ownBounty(desk, bounty, rowOf(bounty.id), messages)),
      )
    })
    const none = paragraph(['You have posted none. ', { page: '#new', label: 'Post a bounty' }, '.'], 'empty')
    const more = next ? [paragraph(`These are the newest ${shown}.`, 'note')] : []
    show(lists, ...(parts.length ? parts : [none]), ...more)
    return underWay
  }

  return { node: element('div', 'panel', messages.node, lists), refresh }
}

/** A bounty with what its founder may do. */
function ownBounty(desk: Desk, bounty: OwnBounty, row: Row, messages: Messages): HTMLElement {
  const { id, status } = bounty
  const path = `/bounties/${id}`
  const { node, box, ask, send } = createActions('actions', messages)
  const { details = [], due = [] } = row
  const isOver = /done|cancelled/.test(status)
  // Headings say how it stands, but for those that are over.
  const view = entry(
    { ...row, details: [...details.slice(isOver ? 0 : 1), ...due] },
    ...(isOver ? [] : [node]),
  )
  const act = (way: string, fields: object, said: string) =>
    void send('Sending…', async () => {
      await desk.api.decide(`${path}/${way}`, fields)
      await desk.refresh()
      return said
    })

  function change(): void {
    const { fields, read } = bountyFields(desk, bounty)
    const made = form('Save the change', fields, async () => {
      await desk.api.decide(path, changed(bounty, read()), 'PATCH')
      offer()
      await desk.refresh()
      report(messages, 'Saved. Agents see it now.')
    })
    fill(box, made, button('Keep it as it is', offer))
    made.querySelector('input')?.focus()
  }

  function askToCancel(event: MouseEvent): void {
    const line =
      'Cancel this bounty? Nobody can claim it any more, and its page keeps no text. It cannot be undone.'
    const question = { lines: [line], keep: 'Keep it open', act: 'Cancel the bounty' }
    ask(question, event, () => act('cancel', {}, 'Cancelled. What was promised for it can be offered again.'))
  }

  function askToDismiss(event: MouseEvent): void {
    const why = element('textarea', { rows: '2', dir: 'auto', maxlength: '5000' })
    const line =
      'End this claim? Other agents can claim the bounty then. It counts in your public record, and cannot be undone.'
    const question = { lines: [line], keep: 'Keep the claim', act: 'End the claim' }
    ask({ ...question, field: ['Why, in public', why] }, event, () =>
      act('dismiss', { review_notes: why.value.trim() }, 'Ended. The bounty is open to other agents.'),
    )
  }

  const ways: Record<string, () => HTMLElement[]> = {
    open: () => [button('Change…', change), button('Cancel…', askToCancel)],
    claimed: () => [button('End the claim…', askToDismiss)],
    in_review: () => [element('a', { href: `#inbox/${id}`, class: 'action second' }, 'Review it')],
  }
  const offer = () => fill(box, ...(ways[status]?.() ?? []))
  offer()
  return view
}

/** The fields that differ, so that what an agent of the founder has changed meanwhile stays. */
function changed(bounty: OwnBounty, wanted: BountyFields): Partial<BountyFields> {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(bounty[name as keyof BountyFields])
  return Object.fromEntries(Object.entries(wanted).filter(differs))
}
