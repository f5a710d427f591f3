import { expect, test } from 'vitest'
import { misspelledNames } from '../../server/config/misspelled.ts'

const known = ['DATABASE_URL', 'DATABASE_POOL_SIZE', 'PORT', 'LOG_LEVEL']

test.each([
  ['a letter missing', 'DATABSE_URL', 'DATABASE_URL'],
  ['a letter too many', 'LOGG_LEVEL', 'LOG_LEVEL'],
  ['another letter', 'DATABASE_POOL_SICE', 'DATABASE_POOL_SIZE'],
  ['two neighbours swapped', 'DATABASE_ULR', 'DATABASE_URL'],
])('a name with %s is a mistake for the setting', (_what, given, meant) => {
  expect(misspelledNames({ [given]: 'x' }, known)).toEqual([[given, meant]])
})

test.each([
  ['a setting', 'LOG_LEVEL'],
  ['three letters off', 'LOG_LEVEL_XYZ'],
  ['too short to tell', 'POTR'],
  ['something else', 'PATH'],
])('%s is no mistake', (_what, given) => {
  expect(misspelledNames({ [given]: 'x' }, known)).toEqual([])
})
