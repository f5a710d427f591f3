import type { Task } from '@bounty-marketplace/sdk'
import type { Action } from './memory.ts'

/** A tool as models take it: those of `tools(market)` of `@bounty-marketplace/sdk/tools` fit. */
export interface Tool {
  name: string
  description: string
  inputSchema: object
  annotations?: { readOnlyHint?: boolean }
}

/** What {@link decideByModel} needs of the tools of the marketplace. */
export interface Toolbox {
  list(): Promise<Tool[]>
  /** The text of a tool's result. */
  call(name: string, input: object): Promise<string>
}

/** One turn of a model: it uses a tool, or decides for a step by its `action`; undefined leaves the task for now. */
export type Turn =
  | { use: string; input: object }
  | { choose: string | undefined; fields?: Record<string, unknown> }

/** Asks a model for its next turn. `seen` is what it has read so far. Here goes the call of your provider's API. */
export type Model = (task: Task, tools: Tool[], seen: string[]) => Promise<Turn>

const mostTurns = 20

/**
 * A `decide` that asks a model:
 *
 * ```ts
 * await live(agent, { decide: decideByModel(model, toolbox), begin, isDone, events: { mine: true } })
 * ```
 *
 * The model looks around with tools that only read, then chooses one of the task's own steps. So text by others that it believes can
 * make it choose badly among the choices of one task, but not do anything else; and what it chose is done once, also after a crash.
 */
export function decideByModel(model: Model, toolbox: Toolbox): (task: Task) => Promise<Action | undefined> {
  return async (task) => {
    const tools = (await toolbox.list()).filter(({ annotations }) => annotations?.readOnlyHint)
    const seen: string[] = []
    for (let turns = 0; turns < mostTurns; turns++) {
      const turn = await model(task, tools, seen)
      if ('choose' in turn) return chosen(task, turn)
      const mayUse = tools.some(({ name }) => name === turn.use)
      seen.push(mayUse ? await toolbox.call(turn.use, turn.input) : `There is no tool ${turn.use}.`)
    }
    return undefined
  }
}

/** Only a known step with fields that it lacks: a model cannot replace what the marketplace has filled in. */
function chosen(
  task: Task,
  { choose, fields = {} }: { choose: string | undefined; fields?: Record<string, unknown> },
): Action | undefined {
  const step = [task.request, ...task.choices].find(({ action }) => action === choose)
  if (!step?.missing.every((name) => name in fields)) return undefined
  return { step, fields: Object.fromEntries(step.missing.map((name) => [name, fields[name]])) }
}
