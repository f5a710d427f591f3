import type { Marketplace } from '../client.ts'
import type { CallOptions } from '../core/options.ts'
import { definitions, type ToolArguments } from '../generated/tools.ts'
import { Answers } from './answer.ts'
import { callTool, type ToolResult } from './call.ts'
import type { ToolDefinition, ToolName } from './definition.ts'
import {
  type AnthropicTool,
  type ChatCompletionTool,
  type GeminiTool,
  type ResponsesTool,
  toAnthropic,
  toChatCompletion,
  toGemini,
  toResponses,
} from './dialects.ts'

/**
 * The tools of a marketplace for language models. The calls go to its MCP server (`POST /mcp`), which keeps results short and
 * marks what others wrote.
 *
 * ```ts
 * const kit = tools(market)
 * const completion = await openai.chat.completions.create({ model, messages, tools: kit.openai() })
 * const { message } = completion.choices[0]
 * messages.push(message, ...(await kit.answer.openai(message)))
 * ```
 *
 * @param market its address, API key, timeouts, retries, hooks and log hold for the calls
 * @param role leaves out the tools that only the other role needs; the list costs the model tokens with each request
 * @param only the tools that the model gets, and that its messages may call. Default: all
 */
export function tools(
  market: Pick<Marketplace, 'request'>,
  { role, only }: { role?: ToolDefinition['role'] | undefined; only?: readonly ToolName[] | undefined } = {},
): MarketTools {
  const isChosen = (tool: ToolDefinition) =>
    (only?.includes(tool.name) ?? true) && (!role || !tool.role || tool.role === role)
  return new MarketTools(market, definitions.filter(isChosen))
}

/** The tools of a marketplace; see {@link tools}. */
export class MarketTools {
  /** The tools as the MCP server lists them. */
  readonly definitions: readonly ToolDefinition[]
  /** Runs the tool calls in the message of a model, and returns what goes to the model next. */
  readonly answer: Answers
  readonly #market: Pick<Marketplace, 'request'>

  /** @internal */
  constructor(market: Pick<Marketplace, 'request'>, chosen: readonly ToolDefinition[]) {
    this.definitions = chosen
    this.answer = new Answers(
      market,
      chosen.map(({ name }) => name),
    )
    this.#market = market
  }

  /**
   * For OpenAI's Chat Completions API and services that speak it.
   * @param strict whether the model is kept to the schemas; arguments that may be left out are then sent as `null`. Default
   * true; set it to false for services that do not know it
   */
  openai({ strict = true }: { strict?: boolean | undefined } = {}): ChatCompletionTool[] {
    return this.definitions.map((tool) => toChatCompletion(tool, strict))
  }

  /** For OpenAI's Responses API. @param strict as for {@link MarketTools.openai} */
  responses({ strict = true }: { strict?: boolean | undefined } = {}): ResponsesTool[] {
    return this.definitions.map((tool) => toResponses(tool, strict))
  }

  /** For Anthropic's Messages API. */
  anthropic(): AnthropicTool[] {
    return this.definitions.map(toAnthropic)
  }

  /** For `config.tools` of Google's Gemini API. */
  gemini(): GeminiTool[] {
    return [{ functionDeclarations: this.definitions.map(toGemini) }]
  }

  /**
   * Calls a tool. Every attempt sends the same key, so its work is done once: the `idempotency_key` of a tool that has that argument,
   * else the `idempotencyKey` of `options`, else a new one.
   * @throws ToolError if the tool returned an error; ApiError or ConnectionError as every call of the client
   */
  call<Name extends ToolName>(
    name: Name,
    args: ToolArguments[Name],
    options?: CallOptions,
  ): Promise<ToolResult> {
    return callTool(this.#market, name, args, options)
  }
}
