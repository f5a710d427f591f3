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
const pauseMs = 200

/** Sends a page of the market part by part, as it comes over a slow line. */
async function sendInParts(path: string, response: ServerResponse): Promise<void> {
  const found = await fetch(market.baseUrl + path)
  response.setHeader('content-type', found.headers.get('content-type') ?? '')
  if (!found.headers.get('content-type')?.startsWith('text/html'))
    return void response.end(Buffer.from(await found.arrayBuffer()))
  for (const part of (await found.text()).split(/(?=<section|<search|<div class="(?:aside|body)"|<footer)/)) {
    response.write(part)
    await pause(pauseMs)
  }
  response.end()
}

test('what has arrived of a page stays where it is while the rest arrives', async () => {
  const slow = await startServer((request, response) => void sendInParts(`${request.url}`, response))
  const visitor = await createVisitor(await launchBrowser(), slow.url)
  for (const path of ['/', `/bounties/${id}`, `/projects/${project.id}`, '/projects', '/docs/bounties']) {
    expect.soft(await visitor.open(path), path).toBe(200)
    expect.soft(await visitor.look('shifts()'), path).toBe(0)
  }
  await visitor.close()
})
