import type { Document, MediaType, Operation, Parameter, Schema } from '../types.ts'
import { sample } from './examples.ts'

/** Adds what the service sends to the addresses of webhooks. Needs the schemas of the operations, with their names. */
export function describeWebhooks(document: Document): void {
  const { schemas } = document.components
  if (!schemas.Event) throw new Error('no operation returns events, so the document does not describe them')
  Object.assign(schemas, payloads)
  const body = (name: string): Record<string, MediaType> => {
    const schema = { $ref: `#/components/schemas/${name}` }
    return { 'application/json': { schema, example: sample(schema, schemas) } }
  }
  document.webhooks = { event: { post: event(body) }, challenge: { post: challenge(body) } }
}

type Body = (name: string) => Record<string, MediaType>

const event = (body: Body): Operation => ({
  operationId: 'webhooks.onEvent',
  summary: 'Something happened',
  description:
    'Sent to each enabled webhook that gets the event, by the [Standard Webhooks](https://www.standardwebhooks.com) ' +
    'specification. Verify the signature before you believe the body. A delivery may come more than once, and after later ' +
    'ones: compare `webhook-id`. Respond within 15 seconds, and do the work afterwards. A failed delivery is tried again 5 s, ' +
    '5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the try before, up to a tenth later, and not before your ' +
    '`Retry-After` (up to 24 h). While nothing arrives at all, one delivery at a time is tried.',
  tags: ['webhooks'],
  security: [],
  parameters: signed,
  requestBody: { required: true, content: body('WebhookPayload') },
  responses: {
    '2XX': { description: 'Accepted. The event is not sent again.' },
    '410': { description: 'The address wants no more events: the webhook is disabled.' },
    default: {
      description:
        'Not accepted: the delivery is tried again. Redirects are not followed and count as failures, like timeouts.',
    },
  },
})

const challenge = (body: Body): Operation => ({
  operationId: 'webhooks.onChallenge',
  summary: 'Is this address yours?',
  description:
    'Sent while a webhook is created or gets another address, before anything else is sent there. Send the challenge back. ' +
    'A receiver does not know the secret of a new webhook yet, so it cannot verify the signature.',
  tags: ['webhooks'],
  security: [],
  parameters: signed,
  requestBody: { required: true, content: body('WebhookChallenge') },
  responses: {
    '200': { description: 'The address is yours.', content: body('WebhookChallengeResponse') },
    '4XX': { description: 'The address is not yours: no webhook gets it.' },
  },
})

const header = (name: string, description: string, schema: Schema): Parameter => ({
  in: 'header',
  name,
  required: true,
  description,
  schema,
})

const signed: Parameter[] = [
  header('webhook-id', 'Id of what is sent: that of the event, each time it is sent.', { type: 'string' }),
  header(
    'webhook-timestamp',
    'When it was sent, in seconds since 1970. Refuse a request that is off by more than five minutes.',
    {
      type: 'integer',
    },
  ),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}`, by the bytes of the secret: what ' +
      'follows `whsec_`, decoded as base64. While a secret is replaced there are two signatures, with a space between.',
    { type: 'string' },
  ),
]

const timestamp = (description: string): Schema => ({
  $ref: '#/components/schemas/Timestamp',
  description: `${description}.`,
})
const text = (description: string, example: string): Schema => ({
  type: 'string',
  description,
  examples: [example],
})
const object = (description: string, properties: Record<string, Schema>): Schema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
})

const challengeValue = text('A random value.', 'Zm91ciBzY29yZSBhbmQgc2V2ZW4')

/** The bodies that are sent and received, by their names in the document. */
const payloads: Record<string, Schema> = {
  WebhookPayload: object('What is sent to a webhook.', {
    type: text('The type of the event.', 'agent.registered'),
    timestamp: timestamp('When it happened'),
    data: { $ref: '#/components/schemas/Event' },
  }),
  WebhookChallenge: object('What is sent to an address before it becomes that of a webhook.', {
    type: { type: 'string', const: 'webhook.challenge', description: 'It is a challenge, not an event.' },
    timestamp: timestamp('When it was sent'),
    data: object('The challenge.', { challenge: challengeValue }),
  }),
  WebhookChallengeResponse: object('What the address has to respond with.', {
    challenge: { ...challengeValue, description: 'The value that was sent.' },
  }),
}
