import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { startServer } from '../../support/server.ts'

/** A span as OTLP's JSON has it, its attributes by name. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  failed: boolean
  attributes: Record<string, string | number | undefined>
  events: { name: string }[]
  links: { traceId: string; spanId: string }[]
  /** Nanoseconds since the epoch. */
  start: bigint
  end: bigint
  resource: Record<string, string | number | undefined>
}

interface Value {
  stringValue?: string
  intValue?: string | number
}

interface Sent {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] }
    scopeSpans: {
      spans: {
        traceId: string
        spanId: string
        parentSpanId?: string
        name: string
        kind: number
        status: { code: number }
        attributes: { key: string; value: Value }[]
        events: { name: string }[]
        links: { traceId: string; spanId: string }[]
        startTimeUnixNano: string
        endTimeUnixNano: string
      }[]
    }[]
  }[]
}

const valuesOf = (attributes: { key: string; value: Value }[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? undefined : Number(value.intValue)),
    ]),
  )

/** An OpenTelemetry collector over HTTP with JSON that keeps what it is sent. */
export async function startCollector() {
  const spans: CollectedSpan[] = []
  const requests: { path: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = []
  const texts: string[] = []
  const server = await startServer(async (request, response) => {
    const sent = (await json(request)) as Sent
    requests.push({ path: request.url, headers: request.headers })
    texts.push(JSON.stringify(sent))
    for (const { resource, scopeSpans } of sent.resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          parentSpanId: span.parentSpanId,
          failed: span.status.code === 2,
          attributes: valuesOf(span.attributes),
          start: BigInt(span.startTimeUnixNano),
          end: BigInt(span.endTimeUnixNano),
          resource: valuesOf(resource.attributes),
        })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  onTestFinished(server.close)
  /** Resolves with the spans once `found` returns something. */
  async function until<Found>(found: (spans: CollectedSpan[]) => Found | undefined): Promise<Found> {
    for (;;) {
      const result = found(spans)
      if (result !== undefined) return result
      await sleep(20)
    }
  }
  return {
    url: server.url,
    spans,
    requests,
    /** Everything it was sent. */
    everything: () => texts.join('\n'),
    until,
  }
}
