import type { Composition } from './compose.ts'
import type { NextStep } from './next-steps.ts'

/** A JSON Schema. */
export interface Schema {
  [keyword: string]: unknown
  properties?: Record<string, Schema>
  required?: string[]
}

/** What an agent may use the tools for. One that does both has all of them. */
export const roles = ['contributor', 'founder'] as const
export type Role = (typeof roles)[number]

/** One tool. What is not said here follows from its operation. */
export interface Tool {
  name: string
  /** The operation whose route serves it. */
  operation: string
  /** Takes the place of one request to the operation. */
  run?: Composition
  /** Another operation that returns what the tool shows. */
  shows?: string
  /** Its operation follows from the argument `action`, by which these are named. They take the fields of `operation`, or fewer. */
  actions?: Readonly<Record<string, string>>
  /** The operation that goes on with what an earlier call has made. With its argument no others are needed. */
  resumedBy?: string
  /** Arguments that its composition or one of its actions takes beside those of the operation. */
  takes?: Readonly<Record<string, Schema>>
  /** Those of its arguments that only one of its actions takes, with that action. */
  onlyWith?: Readonly<Record<string, string>>
  /** For language models: what it does, when to call it, what comes next. */
  description: string
  /** Annotations of MCP that are true for it, in addition to those that follow from the method. */
  hints?: readonly ('destructiveHint' | 'idempotentHint')[]
  /** The tools that usually follow, in a sentence; part of each result. */
  nextStep?: string | NextStep
  /** Fields of the operation that the tool does not offer, with their values. */
  fixed?: Record<string, string | number>
  /** Fields of the operation that the tool does not offer, and that it leaves out. */
  omits?: readonly string[]
  /** Who alone needs it. Default: both. */
  role?: Role
  /** JSON Schema keywords in place of the operation's. */
  narrowed?: Record<string, Schema>
  /** Fields that the tool requires although its operation does not. */
  requires?: readonly string[]
  /** Whether it takes a required `idempotency_key`. */
  isKeyed?: boolean
  /** Whether everything in its result was written by the caller. */
  ownTexts?: boolean
  /** The text of its resource that may be too long for a result; `text_from` reads on. */
  longText?: 'description' | 'review_notes'
  /** Whether it returns requests, which become calls of tools. */
  hasSteps?: boolean
  /** The list in its response. */
  list?: ListOfTool
  /** The error code that says an unfinished call may go on by itself, or can be repeated. */
  unfinished?: 'payout_unconfirmed' | 'activation_unconfirmed' | 'repository_unreachable'
}

/** Where a response has a list, and how it is shown. */
export interface ListOfTool {
  of: string
  /** The resource that holds the list; default: the response itself. */
  in?: string
  /** The fields of an item that are shown; default all. */
  shows?: readonly string[]
  /** The field of an item that is left out first if the result is too long. */
  cutFirst?: string
  /** The next step if there are no items. */
  whenEmpty?: string
}
