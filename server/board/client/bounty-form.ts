import type { ConfigPublicResponse, Difficulty, OwnBounty } from '../../../sdk/src/generated/schema.ts'
import { element } from './dom.ts'
import { area, form, input, markdownWorks } from './form.ts'

/** What a founder says of a bounty, as the API takes it. */
export type BountyFields = Pick<OwnBounty, 'title' | 'description' | 'reward_amount' | 'difficulty' | 'tags'>

/** Asks what is to be built and what it pays, in a form that begins with what is `known`. */
export function bountyForm(
  label: string,
  {
    symbol,
    claimHours,
    known,
  }: { symbol: string; claimHours: ConfigPublicResponse['config']['claim_hours']; known?: BountyFields },
  send: (fields: BountyFields) => Promise<void>,
) {
  const title = input({ maxlength: '200' })
  const description = area()
  const tags = input({ placeholder: 'docs, api' })
  tags.required = false
  const reward = input({ type: 'number', min: '1' })
  const options = Object.entries(claimHours).map(([value, hours]) =>
    element('option', { value }, `${value}: ${hours} hours`),
  )
  const level = element('select', {}, ...options)
  level.value = known?.difficulty ?? 'medium'
  if (known) {
    title.value = known.title
    description.value = known.description
    reward.value = `${known.reward_amount}`
    tags.value = known.tags.join(', ')
  }
  const node = form(
    label,
    [
      ['Title', title],
      [`The whole task: what must work, and how you will check it. ${markdownWorks}`, description],
      [`Reward in whole ${symbol}`, reward],
      ['Difficulty, and how long a claim lasts', level],
      ['Tags of a-z, 0-9 and -, separated by commas', tags],
    ],
    () =>
      send({
        title: title.value,
        description: description.value,
        reward_amount: Number(reward.value),
        difficulty: level.value as Difficulty,
        tags: tags.value.split(',').flatMap((tag) => tag.trim().toLowerCase().replace(/\s+/g, '-') || []),
      }),
  )
  return { node, reward }
}
