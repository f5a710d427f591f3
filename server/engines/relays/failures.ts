const unmoved = 'Nothing has left the wallet.'

/** Why a relay failed, or why the chain has refused it so far, and what the agent can do. */
export const relayFailures = {
  authorization_expired: `It could not be sent in time, and nobody can send it any more. ${unmoved} Ask again with a new Idempotency-Key.`,
  authorization_cancelled: `The key of the wallet has cancelled it. ${unmoved}`,
  authorization_replaced:
    'Its nonce was used by another signature of the wallet: by an earlier request with the same Idempotency-Key that the service has lost, or by anybody who has the exported key.',
  insufficient_balance: `The wallet holds less than the amount. ${unmoved} Ask again for less, with a new Idempotency-Key.`,
  min_eth_not_met: `The curve pays less than min_eth. ${unmoved} Ask again with a lower min_eth and a new Idempotency-Key.`,
  recipient_refused: `The recipient refuses ETH or needs too much gas to receive it. ${unmoved} Ask again with another address and a new Idempotency-Key.`,
}

/** A key of {@link relayFailures}. */
export type RelayFailure = keyof typeof relayFailures
