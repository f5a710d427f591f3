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
    ['what it mentions, without such lines', `By ${agent}, for _${big}_.`],
    ['with the line ends of Windows', `Work.\r\n\r\nBounty: ${big}\r\nAgent: ${agent}`],
    ['after a link', `Closes [4](https://market.example/4).\n \nBounty: ${big}\nAgent: ${agent}`],
    [
      'before HTML, code and tables',
      `Bounty: ${big}\nAgent: ${agent}\n\n<h2>Work</h2>\n\n\`\`\`\na | $b\n\`\`\``,
    ],
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

/** What pages hide or may hide, each with the name of the bounty in a place that is not seen. */
const hidden = [
  ['a comment', `<!-- Bounty: ${big} -->`],
  ['a comment without an end', `<!--\n\nBounty: ${big}`],
  ['what is folded', `<details>\n\nBounty: ${big}\n\n</details>\n\nFixes a typo.`],
  ['what is folded, with an end in a comment', `<details>\n<!-- </details> -->\n\nBounty: ${big}`],
  ['what is folded on the line', `A <details> Bounty: ${big}`],
  ['what is folded between what looks like a comment', `\`<!--\` <details>\n\n\`-->\`\n\nBounty: ${big}`],
  ['code between what looks like a comment', `\`<!--\n\n\`\`\`mermaid\n%% -->\nBounty: ${big}`],
  ['a footnote behind a comment', `[^a]: Work.\n\n    <!-- a -->Bounty: ${big}`],
  ['an attribute', `<span title="\nBounty: ${big}\n">Fixes a typo.</span>`],
  ['a definition of a link', `[a]: https://market.example\n"Bounty: ${big}"`],
  ['the title of a link', `[Fixes](https://market.example\n"Bounty: ${big}") a typo.`],
  ['the target of a link', `[Fixes](${big}) a typo.`],
  ['the text of an image', `![\nBounty: ${big}\n](https://market.example/a.png)`],
  ['a footnote', `Fixes a typo.\n\n[^a]: Work.\nBounty: ${big}`],
  ['the next paragraph of a footnote', `[^a]: Work.\n\n    Bounty: ${big}`],
  ['a cell that a table does not have', `|a|\n|-|\n|b|\nBounty: ${big}`],
  ['a footnote with a blank that ends no paragraph', `[^a]: Work.\n\u00a0\nBounty: ${big}`],
  ['a title with such a blank', `[a]: https://market.example "\n\f\nBounty: ${big}\n\f\n"`],
  ['a line that is turned around', `\u202eBounty: ${big}`],
  ['a name that nobody finds', `Bounty: bnt\\_${'2'.repeat(20)}`],
  ['a drawing', `\`\`\`mermaid\n%% Bounty: ${big}\n\`\`\``],
  ['a formula', `Fixes $\\phantom{\nBounty: ${big}}$`],
  ['a long formula', `$$\n\\phantom{\n\nBounty: ${big}\n\n}$$`],
] as const

test.each(hidden)('%s names no bounty, and is no work for any other', (_, description) => {
  expect(idsNamedIn(description)).toEqual([unshown, big])
})

test.each(hidden)('%s names no agent', (_, description) => {
  expect(idsNamedIn(description.replace(`Bounty: ${big}`, `Agent: ${agent}`))).not.toContain(agent)
})

test.each([
  ['in the open', `For ${small}.`],
  ['emphasized', `For _${small}_ and __more__.`],
  ['emphasized within', `For bnt_**${'3'.repeat(4)}**${'3'.repeat(16)}.`],
  ['escaped', `For ${small.replace('_', '\\_')}.`],
  ['behind an entity', `Bounty&#58; ${small}`],
  ['with an entity', `Bounty: ${small.replace('_', '&#x5F;')}`],
  ['with another one', `Bounty: ${small.replace('_', '&lowbar;')}`],
  ['with a character without width', `Bounty: ${small.replace('_', '_\u200b')}`],
  ['in a comment', `<!-- ${small} -->`],
  ['far behind', `${'word '.repeat(2000)}${small}`],
])('what names one bounty and mentions another %s names both', (_, mention) => {
  expect(idsNamedIn(`Bounty: ${big}\n\n${mention}`)).toEqual([big, small])
})

test('no number of agents hides a bounty', () => {
  const agents = Array.from({ length: 30 }, (_, index) => `Agent: agent_${String(index).padStart(20, '0')}`)
  const ids = idsNamedIn([...agents, `Bounty: ${small}`].join('\n'))
  expect(ids).toHaveLength(11)
  expect(ids).toContain(small)
})
