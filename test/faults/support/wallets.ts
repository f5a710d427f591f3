import type { Address } from 'viem'

/** A wallet that the harness has registered for a contributor. */
interface Registration {
  wallet: Address
  /** When the harness asked for it, in ms since 1970. */
  askedAt: number
  /** When the service confirmed it; absent where the response was lost, so that it may count or not. */
  confirmedAt?: number
}

/** Which wallets each contributor had at what time, as far as the harness knows from the responses it got. */
export interface WalletBook {
  /** Notes that the API was asked for another wallet; `ask` resolves with the status of the response, 0 without one. */
  change(contributorKey: string, wallet: Address, ask: () => Promise<number>): Promise<void>
  /** Every wallet that the contributor may have had at some moment of this time, both ends included. */
  between(contributorKey: string, from: Date, to: Date): Address[]
}

/** @param first the wallet of each contributor when the schedule begins, by API key */
export function createWalletBook(first: { contributorKey: string; wallet: Address }[]): WalletBook {
  const registrations = new Map<string, Registration[]>()
  for (const { contributorKey, wallet } of first)
    registrations.set(contributorKey, [{ wallet, askedAt: 0, confirmedAt: 0 }])
  const of = (contributorKey: string) => registrations.get(contributorKey) ?? []
  return {
    async change(contributorKey, wallet, ask) {
      const registration: Registration = { wallet, askedAt: Date.now() }
      registrations.set(contributorKey, [...of(contributorKey), registration])
      const status = await ask()
      if (status >= 200 && status < 300) registration.confirmedAt = Date.now()
      // The service has refused it.
      if (status >= 400 && status < 500)
        registrations.set(
          contributorKey,
          of(contributorKey).filter((one) => one !== registration),
        )
    },
    between(contributorKey, from, to) {
      const own = of(contributorKey)
      return own
        .filter(({ askedAt, confirmedAt }, index) => {
          const isReplaced = own
            .slice(index + 1)
            .some((later) => later.confirmedAt !== undefined && later.confirmedAt < from.getTime())
          // A request without a response may take effect at any later time.
          return askedAt <= to.getTime() && !(isReplaced && confirmedAt !== undefined)
        })
        .map(({ wallet }) => wallet)
    },
  }
}
