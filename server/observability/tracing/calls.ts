import { type AttributeValue, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Traces } from './traces.ts'

/**
 * Adds a span for each call to a node of the chain or to the code host. The span names a node by its place in `rpcUrls`,
 * because its address often holds a key; of other addresses it has host and path. Returns a function that ends this.
 */
export function traceCalls(traces: Traces, rpcUrls: string[]): () => void {
  const { fetch } = globalThis
  const nodes = rpcUrls.map((url) => new URL(url).href)
  globalThis.fetch = async (input, init) => {
    const { name, attributes } = describeCall(input, init, nodes)
    const span = traces.begin(name, { kind: SpanKind.CLIENT, attributes })
    if (!span) return fetch(input, init)
    try {
      const response = await fetch(input, init)
      span.setAttribute('http.response.status_code', response.status)
      if (response.status >= 400) span.setStatus({ code: SpanStatusCode.ERROR })
      return response
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : 'error')
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
  return () => {
    globalThis.fetch = fetch
  }
}

function describeCall(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  nodes: string[],
): { name: string; attributes: Record<string, AttributeValue> } {
  const { href, hostname, pathname } = new URL(input instanceof Request ? input.url : input)
  const httpMethod = init?.method ?? (input instanceof Request ? input.method : 'GET')
  const rpcMethod = rpcMethodOf(init?.body)
  if (rpcMethod) {
    const node = nodes.indexOf(href) + 1
    return {
      name: rpcMethod,
      attributes: {
        'rpc.system.name': 'jsonrpc',
        'rpc.method': rpcMethod,
        ...(node > 0 && { 'bounty.rpc_node': node }),
      },
    }
  }
  return {
    name: `${httpMethod} ${hostname}`,
    attributes: { 'http.request.method': httpMethod, 'server.address': hostname, 'url.path': pathname },
  }
}

function rpcMethodOf(body: RequestInit['body']): string | undefined {
  if (typeof body !== 'string' || !body.includes('"jsonrpc"')) return undefined
  return /"method":"(\w{1,60})"/.exec(body)?.[1]
}
