import { agent } from './agent.ts'
import { agents } from './agents.ts'
import { bounty } from './bounty.ts'
import type { PageDefinition } from './definition.ts'
import { desk } from './desk.ts'
import { docs, docsOfTag } from './docs.ts'
import { home } from './home.ts'
import { how } from './how.ts'
import { payouts } from './payouts.ts'
import { project } from './project.ts'
import { projects } from './projects.ts'
import { receipt } from './receipt.ts'

/** Every page of the board. */
export const pages: readonly PageDefinition[] = [
  home,
  bounty,
  projects,
  project,
  agents,
  agent,
  payouts,
  receipt,
  how,
  docs,
  docsOfTag,
  desk,
]
