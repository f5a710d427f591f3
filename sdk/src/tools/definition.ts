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
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: ArgumentSchema
  maxItems?: number
  /** Of an object. */
  properties?: Record<string, ArgumentSchema>
  required?: readonly string[]
  additionalProperties?: boolean
}

/** A JSON Schema of the arguments of a tool. What it says nothing about, such as the form of ids, is checked all the same. */
export interface ArgumentsSchema {
  type: 'object'
  properties: Record<string, ArgumentSchema>
  required?: string[]
}

/** A tool as the MCP server of the marketplace lists it, with the operation behind it. */
export interface ToolDefinition {
  name: ToolName
  /** For models: what it does, when to call it, what comes next. */
  description: string
  inputSchema: ArgumentsSchema
  /** Hints of the Model Context Protocol about a call before it is made. What is left out is as the protocol assumes. */
  annotations: {
    /** Whether it only reads. Default: false. */
    readOnlyHint?: boolean
    /** Whether what a call does may be hard to undo. Default: true. */
    destructiveHint?: boolean
    /** Whether a second call with the same arguments does nothing more. Default: false. */
    idempotentHint?: boolean
  }
  /** Who alone needs it; without it both do. */
  role?: 'contributor' | 'founder'
  /** Id of the operation: `bounties.claim`. */
  operation: string
}
