import type { Migration } from 'kysely'
import * as marketplace from './0001_marketplace.ts'
import * as money from './0002_money.ts'
import * as rateLimits from './0003_rate_limits.ts'
import * as recovery from './0004_recovery.ts'
import * as replacedKeys from './0005_replaced_keys.ts'
import * as textGrams from './0006_text_grams.ts'
import * as fittingIndexes from './0007_fitting_indexes.ts'
import * as bountyTexts from './0008_bounty_texts.ts'
import * as statementCounters from './0009_statement_counters.ts'
import * as onePaymentABounty from './0010_one_payment_a_bounty.ts'
import * as idempotencyExpiry from './0011_idempotency_expiry.ts'
import * as entityIds from './0012_entity_ids.ts'
import * as oneTextIndex from './0013_one_text_index.ts'
import * as binaryCalldata from './0014_binary_calldata.ts'
import * as relays from './0015_relays.ts'
import * as chainLog from './0016_chain_log.ts'
import * as privateActivity from './0017_private_activity.ts'
import * as deadlines from './0018_deadlines.ts'
import * as relayOutcomes from './0019_relay_outcomes.ts'
import * as events from './0020_events.ts'
import * as pullRequests from './0021_pull_requests.ts'
import * as tasks from './0022_tasks.ts'
import * as publicReads from './0023_public_reads.ts'
import * as paidWork from './0024_paid_work.ts'
import * as rotatedKeys from './0025_rotated_keys.ts'
import * as activationGas from './0026_activation_gas.ts'
import * as boughtTokens from './0027_bought_tokens.ts'

/** Every migration in order; imported, not read from a folder, so that a build holds them all. */
export const migrations: Record<string, Migration> = {
  '0001_marketplace': marketplace,
  '0002_money': money,
  '0003_rate_limits': rateLimits,
  '0004_recovery': recovery,
  '0005_replaced_keys': replacedKeys,
  '0006_text_grams': textGrams,
  '0007_fitting_indexes': fittingIndexes,
  '0008_bounty_texts': bountyTexts,
  '0009_statement_counters': statementCounters,
  '0010_one_payment_a_bounty': onePaymentABounty,
  '0011_idempotency_expiry': idempotencyExpiry,
  '0012_entity_ids': entityIds,
  '0013_one_text_index': oneTextIndex,
  '0014_binary_calldata': binaryCalldata,
  '0015_relays': relays,
  '0016_chain_log': chainLog,
  '0017_private_activity': privateActivity,
  '0018_deadlines': deadlines,
  '0019_relay_outcomes': relayOutcomes,
  '0020_events': events,
  '0021_pull_requests': pullRequests,
  '0022_tasks': tasks,
  '0023_public_reads': publicReads,
  '0024_paid_work': paidWork,
  '0025_rotated_keys': rotatedKeys,
  '0026_activation_gas': activationGas,
  '0027_bought_tokens': boughtTokens,
}
