import { z } from 'zod'
import { id, text, timestamp } from '../fields.ts'

/** How hard a bounty is. */
export const difficulty = z.enum(['easy', 'medium', 'hard', 'extreme'])

/** Where a bounty stands: open → claimed → in_review → done, and back from in_review to open on rejection. */
export const bountyStatus = z.enum(['open', 'claimed', 'in_review', 'done'])

export const bountyTitle = text(200)
export const bountyDescription = text(2000)

/** Whole tokens. */
export const rewardAmount = z.int().min(1).describe('Reward in whole tokens.')

/** A bounty as lists and its creation answer it. */
export const bounty = z.object({
  id: id('bounty'),
  project_id: id('project'),
  title: bountyTitle,
  description: bountyDescription,
  reward_amount: rewardAmount,
  difficulty,
  status: bountyStatus,
  created_at: timestamp,
})
