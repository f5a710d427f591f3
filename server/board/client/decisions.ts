import type { BountiesApproveResponse, PullRequest, Step, Task } from '../../../sdk/src/generated/schema.ts'
import { capitalized, type Inline } from '../page.ts'
import type { Actions } from './actions.ts'
import { attempt, Failure } from './api.ts'
import { type Details, readFunds, readPayment } from './details.ts'
import { button, element, fill, paragraph } from './dom.ts'
import { input } from './form.ts'
import type { Desk } from './part.ts'

/** What tasks are about, while it is open on the desk. */
export interface OpenSubject extends Actions {
  desk: Desk
  tasks: readonly Task[]
  /** What requests want filled in, by the name of the field. It stays half-written. */
  fields: Map<string, HTMLInputElement | HTMLTextAreaElement>
  /** The commit that this page has asked to pay. */
  paid?: string | undefined
  /** Reads again what waits, and this. */
  again(): Promise<void>
}

/** What is asked before a request that cannot be undone, what keeps things as they are, and what does it. */
const questions: Record<string, readonly [question: string, keep: string, act: string]> = {
  release: ['Give the bounty back? Any other agent can claim it then.', 'Keep the claim', 'Give it back'],
  retract: ['Take the submission back? It is not paid then.', 'Keep it submitted', 'Take it back'],
  reject: ['Reject this work? It is not paid.', 'Keep reviewing', 'Reject now'],
  delete_webhook: ['Delete the webhook? Events are no longer sent to it.', 'Keep it', 'Delete it'],
}

/** What happens next. */
const next: Record<string, string> = {
  submit: 'The founder reviews it now; My work says until when.',
  release: 'The bounty is open to all again.',
  retract: 'The bounty is open to all again.',
  reject: 'The bounty is open to all again.',
  request_changes: 'It comes to your Inbox again once it is submitted anew.',
  activate: 'You can post bounties now.',
}

const fieldLabels: Record<string, string> = {
  pr_url: 'Address of your pull request',
  wallet_address: 'Address that is to be paid',
  review_notes: 'Notes for the contributor, as Markdown',
}

/** Offers all that can be done about the tasks, each as the request that the task has. */
export function offer(open: OpenSubject, details: Details | undefined): void {
  const { tasks, fields, box } = open
  const buttons = element('div', 'actions')
  const notes: HTMLElement[] = []
  // What is to be read stands above, and comments have a box of their own.
  const steps = tasks.flatMap(({ request, choices }) =>
    [request, ...choices].filter(({ method, action }) => method !== 'GET' && action !== 'comment'),
  )
  for (const step of steps) {
    const { action, missing, body } = step
    const pull = details && !(details.pull instanceof Failure) ? details.pull : undefined
    if (action === 'merge') {
      const paid = open.paid ?? (body?.expected_head_sha as string | undefined)
      if (pull && paid) buttons.append(mergeButton(open, step, paid))
      if (details && pull && paid && pull.head_sha !== paid) notes.push(changedNote(details, pull, paid))
    } else if (action !== 'approve') buttons.append(deedButton(open, step))
    // Joins the payout that runs. Should it have failed, nothing but the commit in the body is paid.
    else if (!missing.length)
      buttons.append(button('Wait for the payout', () => void approve(open, step, body ?? {}), ''))
    else if (details && pull)
      buttons.append(
        button('Approve and pay…', (event) => void askToPay(open, step, details, pull, event), ''),
      )
  }
  const labels = [...fields]
    .filter(([name]) => steps.some(({ missing }) => missing.includes(name)))
    .map(([name, field]) => element('label', {}, fieldLabels[name] ?? name, field))
  fill(box, ...notes, ...labels, buttons)
}

/** A request of a task as it stands, with what is filled in. */
function deedButton(open: OpenSubject, step: Step): HTMLElement {
  const { action, missing, body } = step
  const { fields } = open
  const question = questions[action]
  const label = capitalized(action.replaceAll('_', ' '))
  for (const name of missing)
    if (!fields.has(name))
      fields.set(name, name === 'review_notes' ? notesField() : input({ spellcheck: 'false' }))
  const act = (event: MouseEvent) => {
    const empty = missing.find((name) => !textOf(open, name))
    if (empty) {
      open.say(empty === 'review_notes' ? 'Say why in the notes.' : 'Fill this in first.', true)
      return fields.get(empty)?.focus()
    }
    const filled = Object.fromEntries(missing.map((name) => [name, textOf(open, name)]))
    const go = () => void send(open, step, { ...body, ...filled }, () => `Done. ${next[action] ?? ''}`)
    if (!question) return go()
    const [line, keep, act] = question
    const lines = missing.includes('review_notes') ? [line, noteOf(open)] : [line]
    open.ask({ lines, keep, act }, event, go)
  }
  return question
    ? button(`${label}…`, act, 'danger')
    : button(label, act, /^(request_changes|extend)$/.test(action) ? 'plain' : '')
}

const notesField = () => element('textarea', { rows: '1', dir: 'auto', maxlength: '5000' })
const textOf = ({ fields }: OpenSubject, name: string) => fields.get(name)?.value.trim() ?? ''
const noteOf = (open: OpenSubject): Inline => [
  'Your notes: ',
  { foreign: textOf(open, 'review_notes') || 'none' },
]

/** Asks before a payment, with the fee and the funds as they are now. */
async function askToPay(
  open: OpenSubject,
  step: Step,
  details: Details,
  { head_sha, submitted_head_sha, merged }: PullRequest,
  event: MouseEvent,
): Promise<void> {
  const { box, desk } = open
  const review_notes = textOf(open, 'review_notes')
  box.disabled = true
  const [payment, funds] = await Promise.all([readPayment(desk.api, details), readFunds(desk.api, details)])
  box.disabled = false
  if (payment instanceof Failure) return open.say(payment.message, true)
  const changed: Inline = { badge: 'not the commit that was submitted', tone: 'bad' }
  const lines: Inline[] = [
    ['Pay ', payment.net, '? It cannot be undone.'],
    ['With the fee ', payment.gross, '. You can spend ', funds, '.'],
    ['Bounty: ', { foreign: details.bounty.title }],
    ['Commit: ', { code: head_sha }, ' ', head_sha === submitted_head_sha ? '' : changed],
    noteOf(open),
  ]
  const merges = element('input', { type: 'checkbox', checked: '' })
  const choice = element('label', 'choice', merges, 'Merge this commit once it is paid')
  open.ask({ lines, ...(!merged && { choice }), keep: 'Keep reviewing', act: 'Pay now' }, event, () => {
    open.paid = head_sha
    const fields = { ...step.body, expected_head_sha: head_sha }
    void approve(open, step, { ...fields, ...(review_notes && { review_notes }) }, !merged && merges.checked)
  })
}

/** Says that the newest commit is not the one that was paid. */
function changedNote({ submission }: Details, { head_sha }: PullRequest, paid: string): HTMLElement {
  const compare: Inline = { href: `${submission.pr_url}/files/${paid}..${head_sha}`, label: 'Compare' }
  const changed: Inline = [
    'Changed after it was paid: the newest commit is ',
    { code: head_sha },
    '. ',
    compare,
  ]
  return paragraph(changed, 'note warning')
}

/** Merges the commit that was paid and no other. */
function mergeButton(open: OpenSubject, step: Step, paid: string): HTMLElement {
  const brief = `Merge ${paid.slice(0, 7)}`
  const lines: Inline[] = [['Merge the commit that was paid, ', { code: paid }, ' and no other?']]
  const merge = () => void send(open, step, { expected_head_sha: paid }, () => 'Done: merged.')
  return button(
    `${brief}…`,
    (event) => open.ask({ lines, keep: 'Keep it unmerged', act: `${brief} now` }, event, merge),
    '',
  )
}

/** Pays, or joins the payout that runs; then, if that is wanted, merges the commit that was paid. */
function approve(open: OpenSubject, step: Step, approval: object, merges = false): Promise<void> {
  const receipt: Inline = { page: `/payments/${step.body?.submission_id}`, label: 'The receipt' }
  return send(open, step, approval, async ({ contributor_tx_hash: hash }: BountiesApproveResponse) => {
    const paid: Inline = ['Transaction ', { code: hash }, '. ', receipt, '.']
    if (!merges) return ['Done: paid. ', paid, ' Merge it next.']
    const way = step.path.replace('/api', '').replace(/approve$/, 'merge')
    const merged = await attempt(open.desk.api.decide(way, { expected_head_sha: open.paid }))
    if (!(merged instanceof Failure)) return ['Done: paid and merged. ', paid]
    return ['Done: paid. ', paid, ' Not merged, or not yet: ', { foreign: merged.message }]
  })
}

/** Sends the request of a task. Nothing can be pressed until it is read what is true then. */
async function send<Body>(
  { desk, box, send, again }: OpenSubject,
  { path, method, action }: Step,
  fields: object,
  done: (body: Body) => Inline | Promise<Inline>,
): Promise<void> {
  const saying = action === 'approve' ? 'Paying… this goes on if you leave.' : 'Sending…'
  await send(saying, async () =>
    done(await desk.api.decide<Body>(path.replace('/api', ''), fields, method as 'POST')),
  )
  box.disabled = true
  await again()
}
