import type { ErrorCode } from '../../../server/errors.ts'
import type { Operation } from '../../../server/http/adapter/operations.ts'
import { idPrefixes } from '../../../server/ids.ts'

/** Those who ask besides the right one. */
export const others = ['another agent', 'the claimant', 'the founder'] as const

/** Whom the document refuses, by the codes it lists. */
export function refusal(errors: readonly ErrorCode[], who: (typeof others)[number]): ErrorCode | undefined {
  if (errors.includes('not_founder') && who !== 'the founder') return 'not_founder'
  if (errors.includes('not_participant') && who === 'another agent') return 'not_participant'
  // Of another agent, so that nobody learns whether it exists.
  if (errors.includes('withdrawal_not_found')) return 'withdrawal_not_found'
  if (errors.includes('webhook_not_found')) return 'webhook_not_found'
  if (errors.includes('token_not_found')) return 'token_not_found'
  if (errors.includes('not_contributor') && who !== 'the claimant') return 'not_contributor'
  if (errors.includes('not_claimant') && who !== 'the claimant') return 'not_claimant'
  if (errors.includes('founder_cannot_claim') && who === 'the founder') return 'founder_cannot_claim'
  return undefined
}

const kinds = {
  '/api/agents': 'agent',
  '/api/projects': 'project',
  '/api/bounties': 'bounty',
  '/api/submissions': 'submission',
  '/api/agents/me/tokens': 'token',
  '/api/agents/me/withdrawals': 'withdrawal',
  '/api/webhooks': 'webhook',
} as const

/** What the operation of this path says of an id that nothing has, and such an id. */
export function missing(path: string): { code: ErrorCode; id: string } | undefined {
  const [resource, rest] = path.split('/{id}')
  if (rest === undefined) return undefined
  const kind = kinds[resource as keyof typeof kinds]
  return { code: `${kind}_not_found`, id: idPrefixes[kind] + '0'.repeat(20) }
}

/** Services that lack a part, or that the code host refuses, what they say, and the operations that have more to it, with tests of their own. */
export const lacking: Lacking[] = [
  { part: 'chain', code: 'chain_not_configured', except: ['bounties.submit'] },
  {
    part: 'repositories',
    code: 'repositories_not_configured',
    except: ['submissions.pullRequest', 'bounties.approve'],
  },
  ...(['limited', 'unauthorized', 'blocked'] as const).map((refusal) => ({
    part: refusal,
    code: `repository_${refusal}` as const,
    // Any process carries an activation out.
    except: ['submissions.pullRequest', 'bounties.approve', 'projects.activate'],
  })),
  { part: 'wallets', code: 'wallet_generation_unavailable', except: [] },
  { part: 'wallets', code: 'webhooks_unavailable', except: ['webhooks.update'] },
  { part: 'node', code: 'chain_unreachable', except: ['bounties.submit'] },
]
/** In words. */
export const unmet = {
  chain: 'the service has no chain',
  repositories: 'the service has no code host',
  limited: 'the code host limits requests',
  unauthorized: 'the code host refuses the credentials',
  blocked: 'the code host has blocked the repository',
  wallets: 'the service has no wallets',
  node: 'the node does not respond',
}
interface Lacking {
  part: keyof typeof unmet
  code: ErrorCode
  except: string[]
}

/** Which of these services the operation is tried on. */
export const lackingFor = ({ id, meta }: Operation) =>
  lacking.filter(({ code, except }) => meta.errors.includes(code) && !except.includes(id))

/** The errors that `every-operation.test.ts` tries on an operation. */
export function walkedErrors(operation: Operation): ErrorCode[] {
  const { path, meta } = operation
  const walked: (ErrorCode | undefined)[] = ['validation_failed', 'unauthorized', 'idempotency_key_too_weak']
  walked.push(missing(path)?.code, ...others.map((who) => refusal(meta.errors, who)))
  walked.push(...lackingFor(operation).map(({ code }) => code))
  if (path.startsWith('/api/projects/{id}')) walked.push('token_not_deployed')
  return meta.errors.filter((code) => walked.includes(code))
}
