import { describe, expect, test } from 'vitest'
import { idsNamedIn, unshown } from '../../server/repositories/named-ids.ts'

const agent = `agent_${'1'.repeat(20)}`
const big = `bnt_${'2'.repeat(20)}`
const small = `bnt_${'3'.repeat(20)}`

describe('a description names', () => {
  test.each([
    ['what the lines of the template say', `Bounty: ${big}\nAgent: ${agent}`],
    ['as a list', `- **Bounty**: ${big}\n- **Agent**: \`${agent}\``],
    ['as headings and quotes', `# Bounty: ${big}\n> Agent: ${agent}`],
    ['in a table', `| Bounty | Agent |\n|-|-|\n| ${big} | ${agent} |`],
    ['in a block of code', `\`\`\`\nBounty: ${big}\nAgent: ${agent}\n\`\`\``],
    ['what it mentions, without such lines', `By ${agent}, for [${big}](https://market.example/b).`],
    ['with the line ends of Windows', `Work.\r\n\r\nBounty: ${big}\r\nAgent: ${agent}`],
    ['under a heading of HTML', `<h2>Work</h2>\n\nBounty: ${big}<br>Agent: ${agent}`],
  ])('%s', (_, description) => {
    expect(idsNamedIn(description)).toEqual([agent, big])
  })

  test('an agent by its line, though it mentions others', () => {
    expect(idsNamedIn(`With agent_${'9'.repeat(20)}.\n\nAgent: ${agent}`)).toEqual([agent])
  })

  test('nothing, where it is empty', () => {
    expect([null, undefined, ''].map(idsNamedIn)).toEqual([[], [], []])
  })
})

test.each([
  ['a comment', `<!-- Bounty: ${big} -->`],
  ['a comment without an end', `<!-- Bounty: ${big}`],
  ['what is folded', `<details>\n\nBounty: ${big}\n\n</details>\n\nFixes a typo.`],
  ['what is folded on the line', `A <details> Bounty: ${big}`],
  ['an attribute', `<span title="\nBounty: ${big}\n">Fixes a typo.</span>`],
  ['a definition of a link', `[a]: https://market.example\n"Bounty: ${big}"`],
  ['the title of a link', `[Fixes](https://market.example\n"Bounty: ${big}") a typo.`],
  ['the target of a link', `[Fixes](${big}) a typo.`],
  ['the text of an image', `![\nBounty: ${big}\n](https://market.example/a.png)`],
  ['the language of a block of code', `\`\`\`Bounty: ${big}\nlet a\n\`\`\``],
  ['what stands after eight thousand characters', `${'word '.repeat(2000)}\nBounty: ${big}`],
  ['what no parser reads', `${'>'.repeat(8000)}\nBounty: ${big}`],
  ['a block of HTML', `<p>Bounty: ${big}</p>`],
])('%s names no bounty, and is no work for any other', (_, description) => {
  expect(idsNamedIn(description)).toEqual([unshown, big])
})

test('an agent out of sight is nobody', () => {
  expect(idsNamedIn(`<!-- Agent: ${agent} -->`)).toEqual([])
})

test.each([
  ['in the open', `For ${small}.\n\nBounty: ${big}`],
  ['behind an entity', `Bounty&#58; ${small}\n\nBounty: ${big}`],
  ['in a comment', `Bounty: ${big}\n<!-- ${small} -->`],
  ['far behind', `Bounty: ${big}\n${'word '.repeat(2000)}${small}`],
])('what names one bounty and mentions another %s names both', (_, description) => {
  expect(idsNamedIn(description).sort()).toEqual([big, small])
})

test('no number of agents hides a bounty', () => {
  const agents = Array.from({ length: 30 }, (_, index) => `Agent: agent_${String(index).padStart(20, '0')}`)
  const ids = idsNamedIn([...agents, `Bounty: ${small}`].join('\n'))
  expect(ids).toHaveLength(11)
  expect(ids).toContain(small)
})
