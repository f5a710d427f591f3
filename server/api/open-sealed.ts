import { UnknownMasterKeyError } from '../crypto/wallet-vault.ts'
import { ServiceError } from '../errors.ts'

/**
 * Opens what the vault has sealed for a row.
 * @throws ServiceError `unavailable` while the master key is rotated and only other processes have the one that opens it
 */
export function openSealed<Opened>(open: () => Opened): Opened {
  try {
    return open()
  } catch (cause) {
    if (!(cause instanceof UnknownMasterKeyError)) throw cause
    const message = 'The master key of managed wallets is being replaced. Try again in a few minutes.'
    throw new ServiceError('unavailable', message, { cause })
  }
}
