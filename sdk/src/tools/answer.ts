import type { Marketplace } from '../client.ts'
import { AuthenticationError, MarketplaceError } from '../core/errors.ts'
import type { CallOptions } from '../core/options.ts'
import { parseJson } from '../core/response.ts'
import { callTool, ToolError } from './call.ts'
import type { ToolName } from './definition.ts'

/** What a model is told about one call. */
interface Outcome {
  text: string
  data: Record<string, unknown>
  isError: boolean
}

/** A message of Chat Completions, as far as it is read here: `completion.choices[0].message`. */
export interface ChatCompletionMessage {
  tool_calls?:
    | readonly { id: string; function?: { name: string; arguments: string } | undefined }[]
    | null
    | undefined
}

/** A message for Chat Completions: what one tool call returned. */
export interface ChatCompletionToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/** An item of `response.output` of the Responses API. */
export interface ResponsesItem {
  type: string
}

/** An input item for the Responses API: what one function call returned. */
export interface ResponsesOutput {
  type: 'function_call_output'
  call_id: string
  output: string
}

/** A message of Anthropic's Messages API, as far as it is read here. */
export interface AnthropicMessage {
  content: readonly { type: string }[]
}

/** A message for Anthropic's Messages API: what every tool use of a message returned. */
export interface AnthropicToolMessage {
  role: 'user'
  content: { type: 'tool_result'; tool_use_id: string; content: string; is_error: boolean }[]
}

/** A content of the Gemini API, as far as it is read here: `response.candidates[0].content`. */
export interface GeminiContent {
  parts?: readonly { functionCall?: GeminiCall | undefined }[] | undefined
}

interface GeminiCall {
  id?: string | undefined
  name?: string | undefined
  args?: Record<string, unknown> | undefined
}

/** A content for the Gemini API: what every function call of a content returned. */
export interface GeminiToolContent {
  role: 'user'
  parts: { functionResponse: { id?: string; name: string; response: Record<string, unknown> } }[]
}

/** Runs the tool calls of a message, one after the other, and returns what goes to the model next. */
export class Answers {
  readonly #market: Pick<Marketplace, 'request'>
  readonly #names: readonly ToolName[]

  /** @internal */
  constructor(market: Pick<Marketplace, 'request'>, names: readonly ToolName[]) {
    this.#market = market
    this.#names = names
  }

  /** For Chat Completions: a message for each tool call; none if the message has no tool calls. */
  async openai(message: ChatCompletionMessage, options?: CallOptions): Promise<ChatCompletionToolMessage[]> {
    const calls = listIn('openai', 'a message, choices[0].message', message, (from) => from.tool_calls ?? [])
    return inOrder(calls, async ({ id, function: called }) => {
      if (!called) return []
      const { text } = await this.#outcome(called.name, called.arguments, options)
      return [{ role: 'tool', tool_call_id: id, content: text }]
    })
  }

  /** For the Responses API: an item for each function call of `response.output`. */
  async responses(output: readonly ResponsesItem[], options?: CallOptions): Promise<ResponsesOutput[]> {
    const items = listIn('responses', 'a list of items, the output of a response', output, (from) => from)
    return inOrder(items, async (item) => {
      if (item.type !== 'function_call') return []
      const { call_id, name, arguments: args } = item as ResponsesItem & FunctionCall
      const { text } = await this.#outcome(name, args, options)
      return [{ type: 'function_call_output', call_id, output: text }]
    })
  }

  /** For Anthropic's Messages API: one message with the results of all tool uses; none if there was no tool use. */
  async anthropic(message: AnthropicMessage, options?: CallOptions): Promise<AnthropicToolMessage[]> {
    const blocks = listIn(
      'anthropic',
      'a message with a list as its content',
      message,
      (from) => from.content,
    )
    const content: AnthropicToolMessage['content'] = await inOrder(blocks, async (block) => {
      if (block.type !== 'tool_use') return []
      const { id, name, input } = block as typeof block & ToolUse
      const { text, isError } = await this.#outcome(name, input, options)
      return [{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError }]
    })
    return content.length > 0 ? [{ role: 'user', content }] : []
  }

  /** For the Gemini API: one content with the results of all function calls; none if there was no function call. */
  async gemini(content: GeminiContent, options?: CallOptions): Promise<GeminiToolContent[]> {
    const given = listIn('gemini', 'a content, candidates[0].content', content, (from) => from.parts ?? [])
    const parts: GeminiToolContent['parts'] = await inOrder(given, async ({ functionCall }) => {
      if (!functionCall) return []
      const { id, name = '', args } = functionCall
      const { data, isError } = await this.#outcome(name, args, options)
      const response = isError ? { error: data } : { output: data }
      return [{ functionResponse: { ...(id !== undefined && { id }), name, response } }]
    })
    return parts.length > 0 ? [{ role: 'user', parts }] : []
  }

  /** The model is told about errors, except those that it cannot mend. */
  async #outcome(name: string, given: unknown, options: CallOptions | undefined): Promise<Outcome> {
    const args = argumentsIn(given)
    if (!isOneOf(this.#names, name))
      return failed(`There is no tool ${name}. There are: ${this.#names.join(', ')}.`)
    if (!args) return failed('The arguments are not an object of JSON.')
    try {
      return { ...(await callTool(this.#market, name, args, options)), isError: false }
    } catch (error) {
      if (!(error instanceof MarketplaceError) || error instanceof AuthenticationError) throw error
      return error instanceof ToolError ? { ...error.result, isError: true } : failed(error.message)
    }
  }
}

/**
 * The list in what a program passed, which may have no types.
 * @param what what it has to pass
 * @throws MarketplaceError if it passed something else
 */
function listIn<Given, Item extends object>(
  method: string,
  what: string,
  given: Given,
  find: (given: Given) => readonly Item[],
): readonly Item[] {
  const isObject = typeof given === 'object' && given !== null
  const list: unknown = isObject && find(given)
  if (Array.isArray(list) && list.every((item) => typeof item === 'object' && item !== null)) return list
  throw new MarketplaceError(`answer.${method} takes ${what}, as the API of the model returned it`)
}

function failed(message: string): Outcome {
  const data = { error: { message } }
  return { text: JSON.stringify(data), data, isError: true }
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name)
}

/** Arguments as an object, or as the JSON of one; models leave out what would be empty. */
function argumentsIn(given: unknown): Record<string, unknown> | undefined {
  const value = typeof given === 'string' ? parseJson(given || '{}') : (given ?? {})
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

interface FunctionCall {
  call_id: string
  name: string
  arguments: string
}

interface ToolUse {
  id: string
  name: string
  input: unknown
}

/** Later calls may depend on earlier ones, so none begins before the one in front of it has ended. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(...(await run(item)))
  return results
}
