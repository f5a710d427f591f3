import type { Difficulty, OwnBounty } from '../../../sdk/src/generated/schema.ts'
import { element } from './dom.ts'
import { area, type form, input, markdownWorks } from './form.ts'
import type { Desk } from './part.ts'

/** What a founder says of a bounty, as the API takes it. */
export type BountyFields = Pick<OwnBounty, 'title' | 'description' | 'reward_amount' | 'difficulty' | 'tags'>

/** Asks what is to be built and what it pays, in fields that begin with what is `known`. */
export function bountyFields({ config }: Desk, known?: BountyFields) {
  const title = input({ maxlength: '200', value: known?.title ?? '' })
  const description = area()
  const tags = input({ placeholder: 'docs, api', value: known?.tags.join(', ') ?? '' })
  tags.required = false
  const reward = input({ type: 'number', min: '1', value: `${known?.reward_amount ?? ''}` })
  const options = Object.entries(config.claim_hours).map(([value, hours]) =>
    element('option', { value }, `${value}: ${hours} hours`),
  )
  const level = element('select', {}, ...options)
  level.value = known?.difficulty ?? 'medium'
  description.value = known?.description ?? ''
  const rewardLabel = element('span', {}, 'Reward in whole tokens')
  return {
    reward,
    rewardLabel,
    fields: [
      ['Title', title],
      [`The whole task: what must work, and how you will check it. ${markdownWorks}`, description],
      element('label', {}, rewardLabel, reward),
      ['Difficulty, and how long a claim lasts', level],
      ['Tags, separated by commas', tags],
    ] as Parameters<typeof form>[1],
    read: (): BountyFields => ({
      title: title.value,
      description: description.value,
      reward_amount: Number(reward.value),
      difficulty: level.value as Difficulty,
      tags: tags.value.split(',').flatMap((tag) => tag.trim().toLowerCase().replace(/\s+/g, '-') || []),
    }),
  }
}
