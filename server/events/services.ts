import type { EventReader } from './log/reader.ts'
import type { Endpoints } from './webhooks/deliveries/endpoint.ts'

declare module '../services.ts' {
  interface Services {
    /** What happens on the marketplace, in the order of the log. */
    events: EventReader
    /** What sends to the URLs of webhooks. */
    endpoints: Endpoints
  }
}
