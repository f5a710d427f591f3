/** How often the engines look and how long they wait, apart from what an operator sets; tests make it shorter. */
export interface Timing {
  /** Pause between turns while something is on its way, in ms. */
  busyMs: number
  /** Pause between turns while nothing is, in ms. */
  idleMs: number
  /** Silence after which the bytes of an unmined transaction are sent again. */
  resendAfterSeconds: number
  /** Pause between two looks for a receipt of ours at a nonce that is used up; after eight a person is called. */
  receiptCheckSeconds: number
  /** How long a request whose process fell silent still counts as being served. */
  requestLockSeconds: number
  /** How long a process that fell silent keeps an activation. */
  claimSeconds: number
  /** Pause before an activation that met a dead chain or database is taken up again. */
  pauseSeconds: number
  /** Silence of a lane after which its key counts as gone; at least six leases. */
  orphanedSeconds: number
  /** Pause between two looks at a signer for which nothing is on its way, in ms. */
  idleCheckMs: number
  /** Pause between two looks for what missing keys have left behind, in ms. */
  orphanCheckMs: number
}

/** The pace of a running service. */
export const defaultTiming: Timing = {
  busyMs: 200,
  idleMs: 500,
  resendAfterSeconds: 5,
  receiptCheckSeconds: 2,
  requestLockSeconds: 6,
  claimSeconds: 6,
  pauseSeconds: 2,
  orphanedSeconds: 30,
  idleCheckMs: 15_000,
  orphanCheckMs: 10_000,
}
