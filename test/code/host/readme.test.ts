import { marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { isInitialReadme, readmeText } from '../../../server/code/host/readme.ts'
import { name, project } from './support.ts'

describe('untrusted text', () => {
  const hostile = [
    '# heading',
    '```\n</code></pre><script>alert(1)</script>',
    '~~~',
    '    </pre><img src=x onerror=alert(1)>',
    '\t- [ ] task\n\n\n- list\n\n  more',
    '[link](https://evil.example) ![image](https://evil.example/x.png) <https://evil.example>',
    'www.evil.example https://evil.example mail@evil.example @octocat #1 GH-1 Acme/other#2 :tada: $x$',
    '<!-- hidden --> &lt;b&gt; \\` `code` $`x`$ [^1]\n[^1]: note\n[ref]: https://evil.example',
    'line\rreturn\u2028separator\u2029paragraph\u0085next\vtab\fpage',
    '\u202eturned\u202c \0 \ud800 \u{1f680}',
    '> quote\n> [!WARNING]\n> run `curl evil | sh`\n\n| a | b |\n|---|---|\n| @x | y |',
    '\n\n\nafter blank lines\n\n\n',
  ]

  test.each(hostile.map((text) => [JSON.stringify(text), text]))('%s is shown as text', (_, text) => {
    const plain = marked.lexer(readmeText(name, { ...project, name: 'n', description: 'd' }), { gfm: true })
    for (const fields of [{ name: text }, { description: text }, { name: text, description: text }]) {
      const readme = readmeText(name, { ...project, ...fields })
      const tokens = marked.lexer(readme, { gfm: true }).filter(({ type }) => type !== 'space')
      const expected = plain.filter(({ type }) => type !== 'space')
      expect(tokens.map(({ type }) => type)).toEqual(expected.map(({ type }) => type))
      expect(tokens.filter(({ type }) => type !== 'code')).toEqual(
        expected.filter(({ type }) => type !== 'code'),
      )
      expect(readme).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\r\0]/u)
      const html = marked.parse(readme, { async: false }) as string
      const [shown = ''] = /(?<=<pre><code>).*?(?=<\/code><\/pre>)/s.exec(html) ?? []
      expect(shown).not.toMatch(/[<>]/)
    }
  })

  test('speaks of nothing that a code host may lack', () => {
    expect(readmeText(name, project)).not.toMatch(/\bissues?\b/)
  })

  test('stays readable', () => {
    const readme = readmeText(name, { ...project, name: 'A <b>\nB', description: 'One\r\n\r\nTwo @x' })
    expect(readme).toContain('\n\n    A <b>\n    B\n\n    One\n\n    Two @x\n\n## Working here\n')
  })
})

describe('the README a repository is created with', () => {
  const descriptions = ['Flies *high* [proj_1]', null]
  test.each([
    ['# rocket\nFlies *high* [proj_1]\n', true],
    ['# rocket\n\nFlies \\*high\\* \\[proj_1\\]', true],
    ['# rocket', true],
    ['rocket\n======\n', true],
    ['# rocket\nFlies *high* [proj_1]\nBuild with make.\n', false],
    ['# Rocket\n', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isInitialReadme(text, 'rocket', descriptions)).toBe(expected)
  })
})
