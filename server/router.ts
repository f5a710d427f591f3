import { claim } from './operations/bounties/claim.ts'
import { createRouter } from './trpc.ts'

/** Every operation of the service, by the id it has in the document and in the SDK. */
export const router = createRouter({
  bounties: createRouter({ claim }),
})

export type Router = typeof router
