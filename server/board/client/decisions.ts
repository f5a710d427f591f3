import type { BountiesApproveResponse, PullRequest, Task } from '../../../sdk/src/generated/schema.ts'
import type { Inline } from '../page.ts'
import { type Api, Failure, reasonOf } from './api.ts'
import { type Details, nameOf, readFunds, readPayment } from './details.ts'
import { button, element, fill, inline, paragraph } from './dom.ts'
import { markdownWorks } from './form.ts'
import { warnLeavers } from './key.ts'
import type { Messages } from './messages.ts'

/** A task that is open on the desk. */
export interface OpenTask extends Messages {
  api: Api
  task: Task
  symbol: string
  notes: HTMLTextAreaElement
  /** A box for a comment. */
  conversation: HTMLElement
  /** Where a decision is asked for once more. */
  question: HTMLElement
  /** Holds what the founder can decide now; disabled while a question is open or a request runs. */
  box: HTMLFieldSetElement
  /** The commit that this page has asked to pay. */
  paid?: string | undefined
  /** Says in the list what was decided. */
  decided(badge: string): void
  /** Reads again what waits, and this task. */
  again(): Promise<void>
}

/** Milliseconds until a question can be confirmed: nobody has read it sooner. */
const readingMs = 700

/** Offers what a founder can do about a task. */
export function offer(open: OpenTask, details: Details): void {
  const { box, task, notes } = open
  const { pull } = details
  const actions = element('div', 'actions')
  const add = (label: string, act: (event: MouseEvent) => void, look?: string) =>
    actions.append(button(label, act, look))
  fill(box, actions, open.conversation)
  box.disabled = false
  if (task.action === 'approve') {
    const { body } = task.request
    // Joins the payout that runs. Should it have failed, nothing but the commit in the body is paid.
    if (body) add('Wait for the payout', () => void approve(open, body), '')
  } else if (pull && !(pull instanceof Failure)) {
    if (task.action === 'merge') offerMerge(open, pull, details, add)
    else add('Approve and pay…', (event) => void askToPay(open, details, pull, event), '')
  }
  if (task.action !== 'review') return
  box.prepend(element('label', {}, `Notes for the contributor. ${markdownWorks}`, notes))
  add('Request changes', () => end(open, details, (act) => act('request-changes', 'sent back')))
  const title: Inline = ['Reject the work of ', nameOf(details.agent), '? The bounty is open to all again.']
  const reject = (event: MouseEvent) =>
    end(open, details, (act) =>
      ask(open, event, [title, noteOf(open)], 'Reject now', () => act('reject', 'rejected')),
    )
  add('Reject…', reject, 'danger')
  const endings =
    'Requesting changes and rejecting pay nothing. After changes the contributor submits again; a rejection opens the bounty to all.'
  actions.after(paragraph(endings, 'note'))
}

const noteOf = ({ notes }: OpenTask): Inline => ['Your notes: ', { foreign: notes.value.trim() || 'none' }]

/** Ends a review without a payment. The contributor learns why. */
function end(
  open: OpenTask,
  { submission }: Details,
  then: (act: (path: string, badge: string) => void) => void,
): void {
  const review_notes = open.notes.value.trim()
  const fields = { submission_id: submission.id, review_notes }
  if (!review_notes) {
    open.say('Say why in the notes.', true)
    open.notes.focus()
  } else then((path, badge) => void send(open, path, fields, badge))
}

/** Asks before a payment, with the fee and the funds as they are now. */
async function askToPay(
  open: OpenTask,
  details: Details,
  { head_sha, submitted_head_sha }: PullRequest,
  event: MouseEvent,
): Promise<void> {
  const { api, task, symbol, box, notes } = open
  const { reward_amount, title } = details.bounty
  const review_notes = notes.value.trim()
  box.disabled = true
  const [payment, funds] = await Promise.all([
    readPayment(api, details, symbol),
    readFunds(api, task, symbol, reward_amount),
  ])
  box.disabled = false
  if (payment instanceof Failure) return open.say(payment.message, true)
  const changed: Inline = { badge: 'not the commit that was submitted', tone: 'bad' }
  const lines: Inline[] = [
    ['Pay ', payment.net, '? It cannot be undone.'],
    ['With the fee ', payment.gross, '. You can spend ', funds[1], '.'],
    ['Bounty: ', { foreign: title }],
    ['Commit: ', { code: head_sha }, ' ', head_sha === submitted_head_sha ? '' : changed],
    noteOf(open),
  ]
  ask(open, event, lines, 'Pay now', () => {
    open.paid = head_sha
    const fields = { submission_id: details.submission.id, expected_head_sha: head_sha }
    void approve(open, { ...fields, ...(review_notes && { review_notes }) })
  })
}

/** Merges the commit that was paid and no other. */
function offerMerge(
  open: OpenTask,
  { head_sha }: PullRequest,
  { submission: { pr_url } }: Details,
  add: (label: string, act: (event: MouseEvent) => void, look?: string) => void,
): void {
  const paid = open.paid ?? (open.task.request.body?.expected_head_sha as string | undefined)
  if (!paid) return
  const compare: Inline = { href: `${pr_url}/files/${paid}..${head_sha}`, label: 'Compare' }
  const changed: Inline = [
    'Changed after it was paid: the newest commit is ',
    { code: head_sha },
    '. ',
    compare,
  ]
  if (head_sha !== paid) open.box.prepend(element('p', 'note warning', inline(changed)))
  const brief = `Merge ${paid.slice(0, 7)}`
  const title: Inline = ['Merge the commit that was paid, ', { code: paid }, ' and no other?']
  const merge = () => void send(open, 'merge', { expected_head_sha: paid }, 'merged')
  add(`${brief}…`, (event) => ask(open, event, [title], `${brief} now`, merge), '')
}

/**
 * Asks once more, above the buttons that stay where they are: what confirms is never under a pointer that has just pressed.
 */
export function ask(
  { question, box, say }: Pick<OpenTask, 'question' | 'box' | 'say'>,
  { target }: Pick<Event, 'target'>,
  lines: readonly Inline[],
  label: string,
  act: () => void,
): void {
  const opener = target as HTMLElement
  const { top } = opener.getBoundingClientRect()
  const confirm = button(label, ({ detail }) => detail > 1 || act(), '')
  confirm.disabled = true
  setTimeout(() => {
    confirm.disabled = false
  }, readingMs)
  const cancel = button('Cancel', () => {
    fill(question)
    box.disabled = false
    opener.focus()
  })
  const asked = lines.map((line) => element('p', {}, inline(line)))
  const group = element('div', { class: 'confirm', role: 'group', tabindex: '-1' }, ...asked)
  group.append(element('div', 'actions', cancel, confirm))
  say('')
  box.disabled = true
  fill(question, group)
  group.focus({ preventScroll: true })
  scrollBy(0, opener.getBoundingClientRect().top - top)
}

/** Pays, or joins the payout that runs. */
function approve(open: OpenTask, approval: object): Promise<void> {
  const receipt: Inline = { page: `/payments/${open.task.submission_id}`, label: 'The receipt' }
  return send(open, 'approve', approval, 'paid', ({ contributor_tx_hash }: BountiesApproveResponse) => [
    'Transaction ',
    { code: contributor_tx_hash },
    '. ',
    receipt,
  ])
}

/** Sends a decision while nothing else can be pressed, and says what came of it. */
async function send<Body>(
  { api, task, box, question, node, say, decided, again }: OpenTask,
  path: string,
  fields: object,
  badge: string,
  more: (body: Body) => Inline = () => '',
): Promise<void> {
  const address = `/bounties/${task.bounty_id}`
  box.disabled = true
  fill(question)
  say(badge === 'paid' ? 'Paying… this goes on if you leave.' : 'Sending…')
  node.focus()
  const over = warnLeavers()
  try {
    const body = await api.decide<Body>(`${address}/${path}`, fields)
    decided(badge)
    say([`Done: ${badge}. `, more(body), ' ', { page: address, label: 'See the bounty' }])
  } catch (thrown) {
    say(['Not done, or not yet: ', { foreign: reasonOf(thrown) }], true)
  }
  over()
  await again()
}
