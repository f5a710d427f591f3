import type { ToolArguments } from '../generated/tools.ts'

/** The name of a tool: `claim`. */
export type ToolName = keyof ToolArguments

/** A JSON Schema of an argument. */
export interface ArgumentSchema {
  type: string
  description?: string
  enum?: readonly string[]
  default?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: ArgumentSchema
  maxItems?: number
  uniqueItems?: boolean
}

/** A JSON Schema of the arguments of a tool. */
export interface ArgumentsSchema {
  type: 'object'
  properties: Record<string, ArgumentSchema>
  required: string[]
  additionalProperties: false
}

/** A tool as the MCP server of the marketplace lists it, with the operation behind it. */
export interface ToolDefinition {
  name: ToolName
  title: string
  /** For models: what it does, when to call it, what comes next. */
  description: string
  inputSchema: ArgumentsSchema
  /** What may be assumed about a call before it is made: hints of the Model Context Protocol. */
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
  /** Id of the operation: `bounties.claim`. */
  operation: string
}
