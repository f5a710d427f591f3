import { expect, test } from 'vitest'
import { localUrl } from '../../server/startup/local-url.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://127.0.0.1:8080'],
  ['::1', 'http://[::1]:8080'],
  ['fd00::7', 'http://[fd00::7]:8080'],
  ['agents.example', 'http://agents.example:8080'],
])('HOST=%s is reached at %s', (host, url) => {
  expect(localUrl(host, 8080)).toBe(url)
  expect(new URL(url).port).toBe('8080')
})
