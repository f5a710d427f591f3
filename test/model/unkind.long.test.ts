import { testUnkindness } from './unkind.ts'

/** `UNKIND_SEEDS=17-20 npm run test:long -- test/model/unkind` runs these. */
const [first = 1, last = first] = (process.env.UNKIND_SEEDS ?? '1-200').split('-').map(Number)

testUnkindness(Array.from({ length: last - first + 1 }, (_, index) => first + index))
