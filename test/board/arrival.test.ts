/** @module-tag chromium */
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { launchBrowser } from '../http/pages/browser.ts'
import { createTestMarket } from '../support/market.ts'
import { startServer } from '../support/server.ts'
import { createVisitor } from './support/visitor.ts'

const market = await createTestMarket({ databaseLoops: true })
const project = await market.activeProject()
const { id } = await market.openBounty({ project })

/** Longer than a browser waits before it paints what is there. */
const pauseMs = 150

/** Sends a page of the market part by part, as it comes over a slow line. */
async function sendInParts(path: string, response: ServerResponse): Promise<void> {
  const found = await fetch(market.baseUrl + path)
  const type = found.headers.get('content-type') ?? ''
  response.setHeader('content-type', type)
  const parts = type.startsWith('text/html')
    ? /(?=<nav|<section|<search|<div class="(?:aside|body)"|<footer|<span id)/
    : /$/
  for (const part of (await found.text()).split(parts)) {
    response.write(part)
    await pause(pauseMs)
  }
  response.end()
}

test('what has arrived of a page stays where it is while the rest arrives', async () => {
  const slow = await startServer((request, response) => void sendInParts(`${request.url}`, response))
  const visitor = await createVisitor(await launchBrowser(), slow.url)
  for (const width of ['wide', 'narrow'] as const)
    for (const path of ['/', `/bounties/${id}`, '/docs/bounties']) {
      await visitor.turn('light', width)
      expect.soft(await visitor.open(path), path).toBe(200)
      expect.soft(await visitor.look('shifts()'), path).toEqual([])
    }
  await visitor.close()
})
