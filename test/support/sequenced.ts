import type { Database } from '../../server/db/client.ts'
import { sequenceEntries } from '../../server/engines/event-log/sequence.ts'

/** Gives every committed entry its place in the log, so that the newest cursor is behind all that was done. */
export async function sequenceAll(db: Database): Promise<void> {
  while ((await sequenceEntries(db, 1000)) > 0);
}
