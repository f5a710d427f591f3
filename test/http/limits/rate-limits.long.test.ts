import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createRateLimits } from '../../../server/http/limits/rate-limits.ts'
import { serve } from '../serve.ts'

const served = await serve({ settings: { RATE_LIMITS: 'on' } })

test('any number of addresses is counted in bounded memory, which holds the newest', async () => {
  const limits = createRateLimits(served.db, { ...served.services.config, RATE_LIMIT_READS_PER_MINUTE: 1 })
  const limit = limits.of({ method: 'GET', access: 'public' })
  const reply = { headers: () => undefined } as never
  const visit = (n: number) =>
    limit({ ip: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`, agent: null } as never, reply)
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  for (let n = 0; n < 100_000; n++) await visit(n)
  const before = heap()
  for (let n = 100_000; n < 300_000; n++) await visit(n)
  expect(heap() - before).toBeLessThan(100 * 1024 * 1024)
  await expect(visit(299_999)).rejects.toMatchObject({ code: 'rate_limited' })
  await expect(visit(0)).resolves.toBeUndefined()
})
