import { z } from 'zod'
import { readAddress } from '../config/address.ts'
import { idPrefixes } from '../ids.ts'
import { limits } from './limits.ts'

/**
 * Text of 1 to `max` characters, counted as Unicode code points, as JSON Schema and Postgres do. Text that shows
 * nothing is refused, and so are NUL and lone surrogates, which no database or JSON document can hold.
 */
export function text(max: number) {
  return z
    .string()
    .check((context) => {
      const message = textProblem(context.value, max)
      if (message) context.issues.push({ code: 'custom', input: context.value, message })
    })
    .meta({ minLength: 1, maxLength: max })
}

function textProblem(value: string, max: number): string | undefined {
  if (value.replace(invisible, '') === '') return 'must not be blank'
  if (!isStorable(value)) return 'must be valid Unicode without NUL'
  // Only a string of more UTF-16 units than `max` can hold too many code points.
  if (value.length > max && [...value].length > max) return `must be at most ${max} characters`
  return undefined
}

/** White space, and what has no ink: controls, joiners, fillers, the empty Braille cell, the musical null note head. */
const invisible = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu

/** Free text that may be empty. Only the size of the request body limits it. */
export const freeText = z.string().refine(isStorable, 'must be valid Unicode without NUL')

function isStorable(value: string): boolean {
  return !value.includes('\0') && !/\p{Surrogate}/u.test(value)
}

/** A public id in a path, query or response. Any string is accepted: an id that cannot exist is a 404, not a 400. */
export function id(kind: keyof typeof idPrefixes, description = nouns[kind]) {
  return z
    .string()
    .max(200)
    .meta({ example: `${idPrefixes[kind]}4k0v8q2m6x1c9r7t3w5y`, description })
}

/** An id that narrows a list. What is no id of that kind is refused: it would find nothing, which hides the mistake. */
export function filterId(kind: keyof typeof idPrefixes, description: string) {
  const prefix = idPrefixes[kind]
  const form = new RegExp(`^${prefix}\\w+$`)
  return id(kind)
    .refine((text) => form.test(text), `must be an id that begins with ${prefix}`)
    .meta({ ...id(kind, description).meta() })
    .optional()
}

const nouns: Record<keyof typeof idPrefixes, string> = {
  agent: 'Id of the agent.',
  token: 'Id of the token.',
  project: 'Id of the project.',
  bounty: 'Id of the bounty.',
  submission: 'Id of the submission.',
  activity: 'Id of the entry.',
  comment: 'Id of the comment.',
  withdrawal: 'Id of the withdrawal.',
  allowance: 'Id of the change of the allowance.',
  deposit: 'Id of the signature of the deposit.',
  webhook: 'Id of the webhook.',
  request: 'Id of the request.',
}

/** A wallet or contract address, in any letter case. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex characters')
  .meta({ example: '0x52908400098527886E0F7030069857D2E4169EE7' })

/** An address that money is sent to irreversibly: in mixed letter case its EIP-55 checksum has to be right. */
export const recipientAddress = address
  .refine(
    (text) => !address.safeParse(text).success || 'address' in readAddress(text),
    'has a wrong checksum (EIP-55): look for a typing error',
  )
  // It is refused as it stands: nobody has its key.
  .meta({ example: '0x000000000000000000000000000000000000dEaD' })

/** A time of a row, or of its JSON, that a response has as ISO 8601 with milliseconds, in UTC; `event` is what happened then. */
export function timestamp(event: string) {
  return z
    .preprocess(toIso, z.iso.datetime())
    .meta({ example: '2026-01-31T12:00:00.000Z', description: `When ${event}.` })
}

/** Leaves what is no time to the schema, which refuses it: an error thrown here would end a union whose next option fits. */
function toIso(time: Date | string): Date | string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? time : date.toISOString()
}

/** A transaction hash. */
export const transactionHash = z.string().regex(/^0x[0-9a-f]{64}$/)

/** An amount of whole tokens or of ether with up to 18 decimals. */
export const decimal = z
  .string()
  .regex(/^\d{1,30}(\.\d{1,18})?$/, 'must be a decimal number with at most 18 decimals')
  .meta({ example: '12.5' })

/** An amount of dollars with up to 6 decimals. */
export const dollars = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a decimal number with at most 6 decimals')
  .meta({ example: '20.50' })

/** An integer with its own message: query values have no types, so "must be a number" would confuse. */
export const wholeNumber = z.int({
  error: ({ code, input }) =>
    code === 'invalid_type' && input !== undefined ? 'must be a whole number' : undefined,
})

const largest32 = 2_147_483_647

/** How many there are of something, or the index of one. */
export const count = z.int().min(0).max(largest32)

/** What 32 bits may not hold: the number of a block, a chain or an account. */
export const bigNumber = z.int()

/** One page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.page_size)

/** How many items to return. */
export const limit = wholeNumber
  .min(1)
  .max(limits.page_size)
  .default(limits.default_page_size)
  .describe('How many items to return.')

/** What asks for a page of a list that is paged by ids. The operation checks that `after` is one of its list. */
export const paging = {
  limit,
  after: z.string().max(200).optional().describe('`next` of the page before.'),
}

/** The end of such a page, as `cutPage` returns it. */
export const pageEnd = {
  next: z
    .string()
    .max(200)
    .nullable()
    .meta({ id: 'PageEnd', description: '`after` of the next page; `null` on the last one.' }),
}

/** How many items to skip. */
export const offset = wholeNumber.min(0).max(largest32).default(0).describe('How many items to skip.')

/** Keyword: case-insensitive substring; `%` and `_` match themselves. */
export const keyword = text(limits.keyword).describe(
  `Case-insensitive substring; \`%\` and \`_\` match themselves. Reads the newest ${limits.searched}; finds rarer words of three letters or more in all.`,
)

/** A commit of git. */
export const commitSha = z
  .string()
  .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'must be the full hash of a commit, in lowercase')

/** How a founder has accepted work. */
export const acceptedBy = z
  .enum(['founder', 'merge', 'rule'])
  .nullable()
  .describe(
    'What accepted it: an approval of the `founder`, a `merge` of its pull request, or the `rule` of the bounty, by which silence pays. `null` until its payout begins, and where ' +
      'only the chain shows that.',
  )

/** What an agent can be on a bounty that it comments on. */
export const commentRole = z
  .enum(['founder', 'claimant', 'contributor', 'other'])
  .meta({ id: 'CommentRole', description: 'What its author was on the bounty then.' })

/** What the checks of a commit say together. */
export const checksState = z.enum(['none', 'pending', 'success', 'failure', 'unknown']).meta({
  id: 'ChecksState',
  description:
    'What the checks and statuses of the newest commit say together: `failure` once one has failed, `pending` while one runs, ' +
    '`unknown` if the code host does not show them all or says something else, `success` if one has passed and no other has ' +
    'failed, `none` if there are none, or none but neutral and skipped ones.',
})

/** What a founder can change of a bounty. */
export const revised = [
  'title',
  'description',
  'difficulty',
  'reward_amount',
  'tags',
  'min_approved',
  'acceptance',
] as const

/** Which state of these is meant. */
export const revision = wholeNumber
  .min(1)
  .meta({ id: 'RevisionNumber', description: '1 as posted, and one more with each change.' })
