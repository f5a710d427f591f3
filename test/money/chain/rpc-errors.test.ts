import { BaseError, HttpRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { nodeErrorText } from '../../../server/config/node-error-text.ts'
import { nextStepAfter } from '../../../server/money/chain/rpc-errors.ts'

describe('nextStepAfter', () => {
  test.each([
    ['geth', 'already known'],
    ['Erigon', 'ALREADY_EXISTS: already known'],
    ['Besu', 'Known transaction'],
    ['Nethermind', 'AlreadyKnown'],
    ['anvil', 'transaction already imported'],
    ['a proxy', 'transaction already in mempool'],
  ])('wait: %s has the bytes already', (_node, text) => {
    expect(nextStepAfter(text)).toBe('wait')
  })

  test.each([
    ['geth', 'nonce too low: next nonce 5, tx nonce 4'],
    ['Besu', 'Nonce too low'],
    ['Besu, by code', 'NONCE_TOO_LOW'],
    ['Nethermind', 'OldNonce, Current nonce: 5, nonce of rejected tx: 4'],
    ['zkSync', 'nonce is too low. allowed nonce range: 5 - 105, actual: 4'],
  ])('wait: %s has seen the nonce used', (_node, text) => {
    expect(nextStepAfter(text)).toBe('wait')
  })

  test.each([
    ['geth', 'replacement transaction underpriced'],
    ['geth', 'max fee per gas less than block base fee: address 0x0, maxFeePerGas: 1, baseFee: 2'],
    ['Erigon', 'could not replace existing tx'],
    ['Erigon', 'fee too low'],
    ['Besu', 'Gas price below configured minimum gas price: fee is too low'],
    ['Nethermind', 'ReplacementNotAllowed, existing tx has a higher fee'],
    ['Nethermind', 'FeeTooLow, MaxFeePerGas too low'],
    ['Arbitrum', 'transaction underpriced: gas fee cap below base fee: have 1, want below current base fee'],
  ])('raise fees: %s says "%s"', (_node, text) => {
    expect(nextStepAfter(text)).toBe('raise fees')
  })

  test.each([
    ['geth', 'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1'],
    ['anvil', 'Insufficient funds for gas * price + value'],
    ['Hardhat', "Sender doesn't have enough funds to send tx. The max upfront cost is: 2"],
    ['Besu', 'Upfront cost exceeds account balance'],
    ['Nethermind', 'InsufficientFunds, Balance is 0 less than sending value + gas 1'],
  ])('add ETH: %s says "%s"', (_node, text) => {
    expect(nextStepAfter(text)).toBe('add ETH')
  })

  test.each([
    ['geth', 'txpool is full'],
    ['geth', 'nonce too high'],
    ['Nethermind', 'NonceGap, Future nonce. Expected nonce: 4'],
    ['nobody known', 'computer says no'],
  ])('send again: %s says "%s"', (_node, text) => {
    expect(nextStepAfter(text)).toBe('send again')
  })
})

describe('nodeErrorText', () => {
  test('has neither the address nor the request body of a failed call', () => {
    const error = new HttpRequestError({
      url: 'https://user:hunter2@node.example/v2/key',
      body: { method: 'eth_sendRawTransaction', params: [`0x${'ab'.repeat(100)}`] },
      details: 'fetch failed for https://user:hunter2@node.example/v2/key',
    })
    expect(nodeErrorText(error)).toBe('HTTP request failed.: fetch failed for https://…')
  })

  test('has no address of a database', () => {
    expect(nodeErrorText(new Error('cannot reach postgres://bounty:hunter2@db:5432/bounty now'))).toBe(
      'cannot reach postgres://… now',
    )
  })

  test('has no signed bytes, and keeps hashes', () => {
    const hash = `0x${'cd'.repeat(32)}`
    expect(nodeErrorText(new Error(`rejected 0x${'ab'.repeat(65)} of ${hash}`))).toBe(
      `rejected (bytes) of ${hash}`,
    )
  })

  test('has no NUL, which no text column stores, and at most 300 characters', () => {
    expect(nodeErrorText(new Error('a\u0000\u0001b'))).toBe('a b')
    expect(nodeErrorText(new Error('x'.repeat(1000)))).toHaveLength(300)
  })

  test('is the message of the innermost error, of the plain object in a reply, or the value itself', () => {
    expect(nodeErrorText(new BaseError('outer', { cause: new Error('inner') }))).toBe('inner')
    expect(nodeErrorText({ code: -32000, message: 'nonce too low' })).toBe('nonce too low')
    expect(nodeErrorText('gone')).toBe('gone')
  })
})
