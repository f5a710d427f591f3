import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'

/** What a tool returned. */
export interface ToolResponse {
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  body: any
  text: string
}

/** An MCP client of the official SDK, with one agent's key or without any; it calls tools as a model does. */
export async function connect(
  baseUrl: string,
  key: string | undefined,
  era: 'modern' | 'legacy' = 'modern',
  others: Record<string, string> = {},
) {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  )
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...others }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit: { headers } }),
  )
  const received: [string, string][] = []
  const caller = {
    client,
    /** The results of all its calls, with the names of the tools. */
    received,
    async call(name: string, args: object = {}): Promise<ToolResponse> {
      const { content, isError, ...rest } = await client.callTool({ name, arguments: { ...args } })
      const [block] = content as { type: string; text: string }[]
      expect(content).toHaveLength(1)
      expect(rest).not.toHaveProperty('structuredContent')
      expect(Buffer.byteLength(block?.text ?? '')).toBeLessThanOrEqual(8192)
      received.push([name, block?.text ?? ''])
      return { isError: isError === true, body: JSON.parse(block?.text ?? ''), text: block?.text ?? '' }
    },
    /** Calls a tool that has to succeed. */
    async use(name: string, args: object = {}) {
      const { isError, body } = await caller.call(name, args)
      expect(isError, JSON.stringify(body)).toBe(false)
      return body
    },
    /** Calls a tool that has to fail. */
    async refused(name: string, args: object = {}) {
      const { isError, body } = await caller.call(name, args)
      expect(isError, JSON.stringify(body)).toBe(true)
      return body as { error: Record<string, unknown>; next_step: string }
    },
  }
  return caller
}

/** Sends one message without an SDK. */
export async function post(
  baseUrl: string,
  key: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
) {
  const { origin, search } = new URL(baseUrl)
  const response = await fetch(`${origin}/mcp${search}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
}
