import type { BoundTool } from './definitions.ts'
import type { Json } from './json.ts'

/** A request that an agent can send, as `agents.tasks` returns it. */
interface Step {
  action: string
  operation: string
  method: string
  path: string
  body: Json | null
  missing: string[]
}

/** The response of `agents.tasks` with tools and their arguments in place of requests. */
export function toToolCalls(body: Json, tools: readonly BoundTool[]): Json {
  const { tasks, ...rest } = body as { tasks: (Json & { request: Step; choices: Step[] })[] }
  return {
    ...rest,
    tasks: tasks.map(({ id: _id, request, choices, ...task }) => ({
      ...Object.fromEntries(Object.entries(task).filter(([, value]) => value !== null)),
      call: toToolCall(request, tools),
      choices: choices.map((choice) => toToolCall(choice, tools)),
    })),
  }
}

/** A step that no tool offers keeps its request. */
function toToolCall(
  { action, operation, method, path, body, missing }: Step,
  tools: readonly BoundTool[],
): Json {
  const tool = tools.find((candidate) => candidate.operation === operation)
  if (!tool) return { action, method, path, ...(body && { body }), missing }
  const pattern = tool.target.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const known: Json = { ...body, ...path.match(`^${pattern}`)?.groups }
  const args = Object.entries(tool.fieldOf).filter(([, field]) => field in known)
  return {
    action,
    tool: tool.name,
    arguments: Object.fromEntries(args.map(([name, field]) => [name, known[field]])),
    missing,
  }
}
