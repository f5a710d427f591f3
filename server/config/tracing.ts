import { z } from 'zod'

const url = z.url({ protocol: /^https?$/ })
const protocol = z.enum(['http/protobuf', 'http/json'])

/**
 * The OpenTelemetry variables that the service reads. The SDK itself reads the others: resource attributes, sampler,
 * limits, batches, timeouts, certificates.
 */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe('OpenTelemetry collector, over HTTP; setting it switches traces on'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url
    .optional()
    .describe('complete address for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('headers for the collector, name=value separated by commas'),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf').describe('http/protobuf or http/json'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol
    .optional()
    .describe('protocol for traces, instead of OTEL_EXPORTER_OTLP_PROTOCOL'),
  OTEL_TRACES_EXPORTER: z
    .enum(['otlp', 'console', 'none'])
    .optional()
    .describe('otlp, console or none; default: otlp if an endpoint is set, else none'),
  OTEL_SERVICE_NAME: z.string().default('bounty-marketplace').describe('name of the service in traces'),
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((text) => text.toLowerCase() === 'true')
    .describe('true switches traces off, regardless of the other settings'),
}

/** How traces are exported. */
export interface Tracing {
  exporter: 'otlp' | 'console'
  protocol: z.infer<typeof protocol>
  serviceName: string
  /** Sent to the collector with every request. They may contain its API key. */
  headers: Record<string, string>
}

type TracingConfig = z.infer<z.ZodObject<typeof tracingSettings>>

/** The export that the settings ask for; null if they ask for none. */
export function tracingOf(config: TracingConfig): Tracing | null {
  const named = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT
  const exporter = config.OTEL_TRACES_EXPORTER ?? (named ? 'otlp' : 'none')
  if (config.OTEL_SDK_DISABLED || exporter === 'none') return null
  return {
    exporter,
    protocol: config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL,
    serviceName: config.OTEL_SERVICE_NAME,
    headers: headersOf(config.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
  }
}

/** Parses the W3C baggage format that OpenTelemetry uses. Anything that is not a pair is skipped. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name.trim() && value.length > 0 ? [[name.trim(), decode(value.join('=').trim())]] : []
  })
  return Object.fromEntries(pairs)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
