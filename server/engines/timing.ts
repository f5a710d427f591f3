/** How often the engines look and how long they wait, apart from what an operator sets; tests make it shorter. */
export interface Pace {
  /** Pause between turns while something is on its way, in ms. */
  busyMs: number
  /** Pause between turns while nothing is, in ms. */
  idleMs: number
  /** Silence after which the bytes of an unmined transaction are sent again. */
  resendAfterSeconds: number
  /** Pause between two looks for a receipt of ours at a nonce that is used up; after eight a person is called. */
  lookSeconds: number
  /** How long a request whose process fell silent still counts as being served. */
  servingSeconds: number
  /** How long a process that fell silent keeps an activation. */
  claimSeconds: number
  /** Pause before an activation that met a dead chain or database is taken up again. */
  pauseSeconds: number
  /** Silence of a lane after which its key counts as gone; at least six leases. */
  desertedSeconds: number
  /** Pause between two looks at a signer for which nothing is on its way, in ms. */
  idleLookMs: number
  /** Pause between two looks for what missing keys have left behind, in ms. */
  desertedMs: number
}

/** The pace of a running service. */
export const defaultPace: Pace = {
  busyMs: 200,
  idleMs: 500,
  resendAfterSeconds: 5,
  lookSeconds: 2,
  servingSeconds: 6,
  claimSeconds: 6,
  pauseSeconds: 2,
  desertedSeconds: 30,
  idleLookMs: 15_000,
  desertedMs: 10_000,
}
