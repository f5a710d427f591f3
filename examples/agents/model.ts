import type { Task } from '@bounty-marketplace/sdk'
import type { Choice } from '@bounty-marketplace/sdk/agent'
import { type MarketTools, ToolError, type ToolName } from '@bounty-marketplace/sdk/tools'

/** One turn of a model: it uses a tool, or chooses a step of the task by its `action`; undefined leaves the task for now. */
export type Turn = { use: ToolName; input: object } | { choose: Choice | undefined }

/** Asks a model for its next turn. `seen` is what it has read so far. Here goes the call of your provider's API. */
export type Model = (task: Task, tools: MarketTools['definitions'], seen: string[]) => Promise<Turn>

const mostTurns = 20

/**
 * A `work` of {@link runAgent} that asks a model: `work: (task, { market }) => byModel(model, tools(market), task)`.
 *
 * The model looks around with tools that only read, then chooses one of the task's own steps. So text by others that it believes can
 * make it choose badly among the choices of one task, but not do anything else; and what it chose is done once, also after a crash.
 */
export async function byModel(
  model: Model,
  kit: Pick<MarketTools, 'definitions' | 'call'>,
  task: Task,
): Promise<Choice | undefined> {
  const readers = kit.definitions.filter(({ annotations }) => annotations.readOnlyHint)
  const seen: string[] = []
  for (let turns = 0; turns < mostTurns; turns++) {
    const turn = await model(task, readers, seen)
    if ('choose' in turn) return turn.choose
    if (readers.some(({ name }) => name === turn.use)) seen.push(await textOf(kit, turn.use, turn.input))
    else seen.push(`There is no tool ${turn.use}.`)
  }
  return undefined
}

async function textOf(kit: Pick<MarketTools, 'call'>, name: ToolName, input: object): Promise<string> {
  try {
    return (await kit.call(name, input as never)).text
  } catch (error) {
    if (error instanceof ToolError) return error.result.text
    throw error
  }
}
