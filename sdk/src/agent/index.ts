export type { Choice } from '../perform.ts'
export { type AgentOptions, type OwnRequest, type RunningAgent, runAgent } from './run-agent.ts'
export { type AgentMemory, memoryStore, type Store, type Underway } from './store.ts'
