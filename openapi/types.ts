import type { OperationMeta } from '../server/trpc.ts'

/** A JSON value, as it stands in the document. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A JSON object of the document whose members are not modelled further. */
export type JsonObject = { [key: string]: Json }

/** A JSON Schema, as far as the finishing pass reads it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  description?: string
  enum?: Json[]
  /** In place of `enum` where newer versions add values: a convention of Zalando's that generators know. */
  'x-extensible-enum'?: Json[]
  const?: Json
  not?: Schema
  /** In OpenAPI 3.0. */
  nullable?: boolean
  propertyNames?: Schema
  default?: Json
  example?: Json
  examples?: Json[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
}

export interface Parameter {
  $ref?: string
  in?: 'path' | 'query' | 'header'
  name?: string
  description?: string
  required?: boolean
  schema?: Schema
  example?: Json
}

export interface MediaType {
  schema?: Schema
  example?: Json
}

export interface Response {
  $ref?: string
  description?: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, MediaType>
}

export interface Operation {
  operationId: string
  /** How long a client should wait for the response, where that is longer than usual. */
  'x-client-timeout-seconds'?: number
  'x-key-only'?: true
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, MediaType> }
  responses: Record<string, Response>
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export interface Document {
  openapi: string
  info: JsonObject
  servers: JsonObject[]
  tags?: { name: string; description?: string }[]
  /** What operations need that say nothing else. */
  security?: Record<string, string[]>[]
  paths: Record<string, Partial<Record<Method, Operation>>>
  /** What the service sends to others, by name. */
  webhooks?: Record<string, Partial<Record<Method, Operation>>>
  components: {
    schemas: Record<string, Schema>
    responses?: Record<string, Response>
    headers?: Record<string, JsonObject>
    parameters?: Record<string, Parameter>
    securitySchemes?: Record<string, JsonObject>
  }
}

/** One operation of the router together with its place in the document. */
export interface DocumentedOperation {
  /** Its path in the router, `bounties.claim`. */
  id: string
  path: string
  method: Method
  meta: OperationMeta
  takesInput: boolean
  operation: Operation
}
