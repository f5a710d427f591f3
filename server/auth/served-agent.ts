import { AsyncLocalStorage } from 'node:async_hooks'

/** Id of the agent whose request is being served; none in what the service does by itself. */
export const servedAgent = new AsyncLocalStorage<string>()
