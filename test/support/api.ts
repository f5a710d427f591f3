import { send } from './send.ts'

/** A response of the service. */
export interface ApiResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any
  headers: Headers
}

/** A request, without its method and path. */
export interface ApiRequest {
  /** API key of the caller. */
  key?: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

/** Sends a request to the service and reads the whole response. */
export type Api = (method: string, path: string, request?: ApiRequest) => Promise<ApiResponse>

export function createApi(baseUrl: string): Api {
  return async (method, path, { key, body, headers } = {}) => {
    const response = await send(baseUrl + path, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const { status, headers: received, text } = response
    return { status, body: text === '' ? undefined : JSON.parse(text), headers: received }
  }
}
