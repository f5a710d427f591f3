import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Adds one server span for each request, in the trace that its `traceparent` names. Query strings and headers are left
 * out, because callers put secrets there.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  const within = (request: FastifyRequest, done: () => void) => {
    const span = spans.get(request)
    if (span) context.with(trace.setSpan(ROOT_CONTEXT, span), done)
    else done()
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const span = startSpan(request, tracer)
    spans.set(request, span)
    // A request that this one sends on inside the process becomes its child.
    propagation.inject(trace.setSpan(ROOT_CONTEXT, span), request.headers)
    within(request, done)
  })
  // Reading a body leaves the context of the request: the connection's own is active afterwards.
  app.addHook('preValidation', (request, _reply, done) => within(request, done))
  app.addHook('onRequestAbort', async (request) => {
    spans.get(request)?.setAttribute('error.type', 'aborted').end()
    spans.delete(request)
  })
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request)
    if (span) endSpan(span, request, reply)
  })
}

function startSpan(request: FastifyRequest, tracer: Tracer): Span {
  const { method, routeOptions } = request
  const route = routeOptions.url?.replace(/:(\w+)/g, '{$1}')
  const { operation } = routeOptions.config ?? {}
  return tracer.startSpan(
    route ? `${method} ${route}` : method,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        'url.scheme': request.protocol,
        ...(route && { 'http.route': route }),
        ...(operation && { 'bounty.operation': operation }),
        'bounty.request_id': request.id,
      },
    },
    propagation.extract(ROOT_CONTEXT, request.headers),
  )
}

function endSpan(span: Span, request: FastifyRequest, { statusCode }: FastifyReply): void {
  span.setAttribute('http.response.status_code', statusCode)
  if (request.agent) span.setAttribute('bounty.agent_id', request.agent.id)
  if (statusCode >= 500) {
    span.setAttribute('error.type', String(statusCode))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
