import type { Operation } from '../http/adapter/operations.ts'
import type { Json } from './json.ts'
import type { BoundTool } from './tools/definitions.ts'

/** A request that an agent can send, as `agents.tasks` returns it. */
interface Step {
  action: string
  operation: string
  method: string
  path: string
  body: Json | null
  missing: string[]
}

/**
 * The response of `agents.tasks` with tools and their arguments in place of requests. The ids of a task are arguments of its choices,
 * too, and are not repeated there.
 */
export function toToolCalls(body: Json, tools: readonly BoundTool[]): Json {
  const { tasks, ...rest } = body as { tasks: (Json & { request: Step; choices: Step[] })[] }
  return {
    ...rest,
    tasks: tasks.map(({ id: _, project_id, request, choices, ...task }) => ({
      ...(task.bounty_id === null && { project_id }),
      ...task,
      call: toToolCall(request, tools),
      choices: choices.map((choice) => withoutShared(toToolCall(choice, tools), task)),
    })),
  }
}

function withoutShared({ arguments: args = {}, ...call }: Json, task: Json): Json {
  const own = Object.entries(args as Json).filter(([name, value]) => task[name] !== value)
  return { ...call, ...(own.length > 0 && { arguments: Object.fromEntries(own) }) }
}

/** A message of an operation with tools in place of the requests that it names and that are tools. */
export function withTools(
  message: string,
  tools: readonly BoundTool[],
  operations: readonly Operation[],
): string {
  return message.replace(
    /\b(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/]+)(?![\w/?])/g,
    (request, method: string, path: string) => {
      const fits = ({ method: own, path: pattern }: Operation) =>
        own === method && new RegExp(`^${pattern.replace(/\{\w+\}/g, '\\w+')}$`).test(path)
      const { id } = operations.find(fits) ?? {}
      const tool = tools.find(
        ({ operation, actions = {} }) => id && [operation, ...Object.values(actions)].includes(id),
      )
      return tool ? `call ${tool.name}` : request
    },
  )
}

/** A step that no tool offers keeps its request. */
function toToolCall(
  { action, operation, method, path, body, missing }: Step,
  tools: readonly BoundTool[],
): Json {
  const tool = tools.find(({ operation: own, resumedBy, shows, actions = {} }) =>
    [own, resumedBy, shows, ...Object.values(actions)].includes(operation),
  )
  if (!tool) return { action, method, path, ...(body && { body }), missing }
  // A path has at most one parameter: the id behind the name of its resource.
  const id = /^\/api\/\w+\/(\w+)/.exec(path)?.[1]
  const chosen = Object.entries(tool.actions ?? {}).find(([, one]) => one === operation)
  const known: Json = { id, ...body, ...(chosen && { action: chosen[0] }) }
  const args = [...tool.fieldOf].filter(([, field]) => known[field] !== undefined)
  const unknown = (tool.requires ?? []).filter((field) => known[field] === undefined)
  return {
    tool: tool.name,
    arguments: Object.fromEntries(args.map(([name, field]) => [name, known[field]])),
    missing: [...new Set([...missing, ...unknown])],
  }
}
