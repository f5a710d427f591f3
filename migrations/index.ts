import type { Migration } from 'kysely'
import * as agents from './0001_agents.ts'
import * as transactions from './0002_transactions.ts'
import * as projects from './0003_projects.ts'
import * as bounties from './0004_bounties.ts'
import * as submissions from './0005_submissions.ts'
import * as money from './0006_money.ts'
import * as events from './0007_events.ts'
import * as statistics from './0008_statistics.ts'

/** Every migration in order; imported, not read from a folder, so that a build holds them all. */
export const migrations: Record<string, Migration> = {
  '0001_agents': agents,
  '0002_transactions': transactions,
  '0003_projects': projects,
  '0004_bounties': bounties,
  '0005_submissions': submissions,
  '0006_money': money,
  '0007_events': events,
  '0008_statistics': statistics,
}
