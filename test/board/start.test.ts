/** @module-tag chromium */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Marketplace } from '@bounty-marketplace/sdk'
import { deliver } from '@bounty-marketplace/sdk/git'
import { parseEther } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../http/pages/browser.ts'
import { createTestMarket } from '../support/market.ts'
import { sitDown } from './support/desk.ts'
import { createVisitor } from './support/visitor.ts'

let market: Awaited<ReturnType<typeof createTestMarket>>
let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  market = await createTestMarket({ git: true })
  browser = await launchBrowser()
})

async function atPost() {
  const visitor = await createVisitor(browser, market.baseUrl)
  const { page } = visitor
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key'])
  })
  // Redirects lead from where it stood before.
  await visitor.open('/start')
  expect(page.url()).toBe(`${market.baseUrl}/desk#new`)
  return {
    ...visitor,
    keys,
    press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    fill: (label: string, text: string) => page.getByLabel(label, { exact: false }).fill(text),
    heading: (name: string) => page.getByRole('heading', { name, exact: true }).waitFor(),
  }
}

/** An agent does the work of a bounty with real git. */
async function submitWork(id: string): Promise<void> {
  const anyone = new Marketplace({ baseUrl: market.baseUrl })
  const grace = anyone.withApiKey((await anyone.agents.register({ name: 'Grace' })).agent.api_key)
  await grace.bounties.claim(id)
  const pr_url = await deliver(grace, { id, bounty_id: id, submission_id: null }, (folder) =>
    writeFile(join(folder, 'dart.md'), 'It flies.\n'),
  )
  await grace.bounties.submit(id, { pr_url })
}

/** The person reads the diff, pays, and has the chain asked as the receipt says. The fee is 5 %. */
async function approveAndVerify(key: string): Promise<void> {
  const { page, unfold, press, said, complaints, close } = await sitDown(browser, market.baseUrl, key)
  await unfold({ title: 'Fold a dart' })
  expect(await page.locator('.diff ins').textContent()).toBe('+It flies.')
  await press('Approve and pay…')
  await press('Pay now')
  await said('Done: paid and merged.')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'The receipt' }).click()
  const receipt = await opened
  await receipt.getByRole('heading', { name: '855 PLANE paid to Grace' }).waitFor()
  const fact = (name: string) =>
    receipt.locator('dl > div', { hasText: name }).locator('dd').last().textContent()
  expect(await fact('Reward')).toBe('900 PLANE − fee 45 PLANE = 855 PLANE')
  expect(await fact('To wallet, for the fee')).toBe(market.chain.treasury)
  const shown = (await receipt.locator('.command pre').first().textContent()) ?? ''
  const command = shown.replace('https://YOUR_NODE', market.chain.rpcUrl)
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  const printed = receipt.locator('details', { hasText: 'Every line explained' }).locator('code')
  expect(stdout.trimEnd().split('\n')).toEqual(await printed.allTextContents())
  const amounts = stdout.trimEnd().split('\n').slice(-2)
  expect(amounts).toEqual(['855', '45'].map((amount) => parseEther(amount).toString(16)))
  expect(complaints()).toEqual([])
  await close()
}

test('a person registers, keeps the key, posts a bounty on a new project by one form, pays for it, and verifies that', {
  tags: ['curl', 'git'],
}, async () => {
  const { page, keys, press, fill, heading, kept, leave, look, axe, complaints, close } = await atPost()
  expect(await look('shifts()')).toEqual([])
  expect(await axe()).toEqual([])
  await fill('Your name', 'Ada <b>Lovelace</b>')
  await press('Register')
  await heading('Keep your key')
  expect(await axe()).toEqual([])
  const key = (await page.locator('#desk .command pre').textContent()) ?? ''
  const warns = () => page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
  expect(await warns()).toBe(true)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download the key' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toBe(`${key}\n`)
  await press('I have kept it')
  await heading('Post a bounty')
  expect(await warns()).toBe(false)
  expect(await kept()).not.toContain(key)

  await fill('Name of the project', 'Paper planes')
  await fill('What it is about', 'Folds planes.')
  await fill('Symbol of its token', 'PLANE')
  await page.getByText('10 % of it is reserved for your bounties').waitFor()
  await fill('Title', 'Fold a dart')
  await fill('The whole task', 'It must fly.')
  const post = page.getByRole('button', { name: 'Post it' })
  const preview = page.locator('[aria-live]')
  await fill('Tags', 'Paper Folds, ä')
  await fill('Reward', '100001')
  await preview.getByText('The project cannot pay this: 100,000 PLANE are left to offer.').waitFor()
  expect(await post.isDisabled()).toBe(true)
  await fill('Reward', '900')
  await preview
    .getByText('The contributor gets 855 PLANE: nobody buys PLANE yet, and agents see that.')
    .waitFor()
  expect(await axe()).toEqual([])
  await press('Post it')
  await page.getByText('Making the repository and the token…').waitFor()
  await page.locator('form').getByText('tags.1: must be').waitFor()
  await fill('Tags', 'Paper Folds')
  expect(await page.locator('option').allTextContents()).toEqual([
    'A new project',
    'easy: 24 hours',
    'medium: 72 hours',
    'hard: 168 hours',
    'extreme: 336 hours',
  ])
  const error = { code: 'insufficient_funds', message: 'POST /api/…', retryable: false, request_id: 'req_1' }
  await page.route('**/bounties', (route) => route.fulfill({ status: 400, json: { error } }), { times: 1 })
  await press('Post it')
  await page.getByText('Not posted: the project cannot pay this.').waitFor()
  await press('Post it')
  await heading('Your bounty is open')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Your bounty is open')
  const address = (await page.getByRole('link', { name: 'Fold a dart' }).getAttribute('href')) ?? ''
  expect((await market.api('GET', `/api${address}`)).body.bounty).toMatchObject({
    title: 'Fold a dart',
    reward_amount: 900,
    difficulty: 'medium',
    status: 'open',
  })
  expect((await market.api('GET', '/api/agents/me/projects', { key })).body.projects).toHaveLength(1)
  expect(keys).toHaveLength(6)
  expect(new Set(keys).size).toBe(6)
  await leave()
  expect(await page.getByRole('heading', { name: 'New here?' }).count()).toBe(1)
  expect(await kept()).not.toMatch(/bmk_|bmt_|Paper planes/)
  expect(complaints().filter((complaint) => !complaint.includes('400'))).toEqual([])
  await close()

  await submitWork(address.slice('/bounties/'.length))
  await approveAndVerify(key)
})

test('who leaves before the key is kept leaves nothing of it; a lost response is asked for again with its key', async () => {
  const { page, keys, press, fill, heading, kept, leave, close } = await atPost()
  await page.route('**/api/agents/register', async (route) => {
    if (keys.length > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await fill('Your name', 'Grace')
  await press('Register')
  await page.getByText('The service did not respond. (no_response)').waitFor()
  await press('Register')
  await heading('Keep your key')
  expect(keys).toEqual([expect.stringMatching(/^\S{32,}$/), keys[0]])
  const file = await page.getByRole('link', { name: 'Download the key' }).getAttribute('href')
  await leave()
  expect(await kept()).not.toContain('bmk_')
  expect(await page.evaluate(`fetch('${file}').then(() => 'there', () => 'gone')`)).toBe('gone')
  await close()
})

test('who has a key posts on a project, which is activated if it is not; a wrong key is refused', async () => {
  const proposed = await market.proposedProject()
  const { page, press, fill, heading, close } = await atPost()
  const enter = async (key: string) => {
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
  }
  await enter('not-a-key')
  await page.getByText('No agent has this key. (unauthorized)').waitFor()
  await enter(proposed.founder.key)
  await page.locator('option', { hasText: 'which is activated before' }).waitFor({ state: 'attached' })
  await fill('Title', 'Fold a glider')
  await fill('The whole task', 'It must glide.')
  await fill('Reward', '10')
  await press('Post it')
  await heading('Your bounty is open')
  await close()
})

test('the requests that the page names work', async () => {
  const page = await (await fetch(`${market.baseUrl}/desk.md`)).text()
  const commands = page.match(/^ {4}curl .*$/gm) ?? []
  /** Sends what the shell hands to curl. The key stays out of the processes' arguments. */
  const run = async (index: number, key = '', project = '') => {
    const shown = `curl() { printf '%s\\n' "$@"; }; ${commands[index]}`
    const options = { env: { ...process.env, KEY: 'the-key', PROJECT: project } }
    const { stdout } = await promisify(execFile)('sh', ['-c', shown], options)
    const [, , method, url = '', ...rest] = stdout.trimEnd().split('\n')
    const valuesOf = (flag: string) => rest.filter((_, index) => rest[index - 1] === flag)
    const headers = valuesOf('-H').map(
      (header) => header.replace('the-key', key).split(': ') as [string, string],
    )
    const [body = null] = valuesOf('-d')
    const response = await fetch(url, { method: method as string, headers, body })
    return (await response.json()) as Record<string, Record<string, string>>
  }
  const { agent } = await run(0)
  const { project } = await run(1, agent?.api_key)
  expect(await run(2, agent?.api_key, project?.id)).toMatchObject({ project: { status: 'active' } })
  expect(await run(3, agent?.api_key, project?.id)).toMatchObject({ bounty: { status: 'open' } })
})
