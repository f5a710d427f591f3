export type { ToolArguments } from '../generated/tools.ts'
export type {
  Answers,
  AnthropicMessage,
  AnthropicToolMessage,
  ChatCompletionMessage,
  ChatCompletionToolMessage,
  GeminiContent,
  GeminiToolContent,
  ResponsesItem,
  ResponsesOutput,
} from './answer.ts'
export { ToolError, type ToolResult } from './call.ts'
export type { ArgumentSchema, ArgumentsSchema, ToolDefinition, ToolName } from './definition.ts'
export type { AnthropicTool, ChatCompletionTool, GeminiTool, ResponsesTool } from './dialects.ts'
export { type MarketTools, tools } from './tools.ts'
