import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { belongsTo, repositoryDescription, repositoryNames } from '../../../server/code/host/naming.ts'

const project = { id: 'proj_0123456789abcdefghij', name: 'Rocket', description: 'Flies' }

describe('names', () => {
  test.each([
    ['Rocket', 'rocket-cdefghij'],
    ['  My Rocket / v2!  ', 'my-rocket-v2-cdefghij'],
    ['Ünïcödé', 'unicode-cdefghij'],
    ['火箭', 'project-cdefghij'],
    ['🚀🚀', 'project-cdefghij'],
    ['..', 'project-cdefghij'],
    ['../../etc/passwd', 'etc-passwd-cdefghij'],
    ['a.git', 'a-git-cdefghij'],
    ['ﬁne', 'fine-cdefghij'],
    ['a'.repeat(200), `${'a'.repeat(60)}-cdefghij`],
    [`${'a'.repeat(59)} b`, `${'a'.repeat(59)}-cdefghij`],
  ])('%s: %s', (name, expected) => {
    expect(repositoryNames({ ...project, name })[0]).toBe(expected)
  })

  test('alternatives are numbered', () => {
    expect(repositoryNames(project)).toEqual([
      'rocket-cdefghij',
      'rocket-cdefghij-2',
      'rocket-cdefghij-3',
      'rocket-cdefghij-4',
      'rocket-cdefghij-5',
    ])
  })

  test('are valid for GitHub for every project name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        for (const candidate of repositoryNames({ ...project, name })) {
          expect(candidate).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
          expect(candidate.length).toBeLessThanOrEqual(100)
        }
      }),
    )
  })
})

describe('descriptions', () => {
  test('end in the project id', () => {
    expect(repositoryDescription(project)).toBe('Flies [proj_0123456789abcdefghij]')
    expect(repositoryDescription({ ...project, description: '' })).toBe('[proj_0123456789abcdefghij]')
  })

  test('are one line of visible text', () => {
    const description = 'a\r\nb\tc\0d\u202ee\u2028f\ud800'
    expect(repositoryDescription({ ...project, description })).toBe('a b c d e f [proj_0123456789abcdefghij]')
  })

  test('are at most 350 characters, and never cut a character in half', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 0, maxLength: 2000 }), (text) => {
        const description = repositoryDescription({ ...project, description: text })
        expect(description.length).toBeLessThanOrEqual(350)
        expect(description).not.toMatch(/[\p{Cc}\p{Cs}]/u)
        expect(belongsTo(description, project)).toBe(true)
      }),
    )
    const rockets = repositoryDescription({ ...project, description: '🚀'.repeat(1000) })
    expect(rockets).toMatch(/^(🚀)+… \[proj_0123456789abcdefghij\]$/u)
  })

  test('that quote another project id still belong to their own project only', () => {
    const other = { id: 'proj_zzzzzzzzzzzzzzzzzzzz' }
    const description = repositoryDescription({ ...project, description: `See [${other.id}]` })
    expect(belongsTo(description, other)).toBe(false)
    expect(belongsTo(description, project)).toBe(true)
    expect(belongsTo(null, project)).toBe(false)
  })
})
