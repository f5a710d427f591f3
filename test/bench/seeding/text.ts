import { createRandom, type Random } from '../../support/random.ts'
import { zipf } from './zipf.ts'

/** In the order of their frequency, as in descriptions of software work. */
const frequentWords =
  `the a to for and of in is with on that be as it from add support when should not by this fix
 error api test use file data user handle request response list server client return type value check update
 implement function query parser token page field index key name schema create missing invalid default format
 header option path string number write read remove delete cache session config input output validate search
 timeout retry queue worker stream buffer socket event message payload endpoint route handler migration table
 column transaction wallet balance transfer contract address signature block receipt gas chain reward bounty
 project agent claim submission review approve reject status founder supply curve price fee allowance deploy
 build release version package module import export lint compile bundle document example readme tutorial guide
 benchmark latency memory leak crash race deadlock regression fallback pagination sort filter cursor offset limit
 encode decode serialize compress encrypt hash verify certificate permission role scope audit webhook callback
 scheduler cron job batch pipeline metric trace log alert dashboard chart widget button form modal theme layout
 mobile keyboard accessibility locale translation timezone currency decimal rounding precision overflow unicode
 newline whitespace escape quote regex grammar lexer syntax tree visitor compiler interpreter runtime register
 opcode heap stack garbage collector allocator thread mutex semaphore channel protocol handshake proxy gateway
 balancer replica shard partition snapshot backup restore failover quorum consensus gossip election lease fence`
    .split(/\s+/)
    .filter(Boolean)

const syllables =
  'ba be bi bo da de di do fa fe fi fo ga ge go ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve vi vo za zo xen qua dor mir tal vek'.split(
    ' ',
  )
const rareWords = 20_000

/** A word that {@link createTexts} puts into `every`-th of all descriptions, whatever their number. */
export const markers = [
  { word: 'zirconium', every: 10_000 },
  { word: 'quasiperiodic', every: 1_000 },
] as const

/** Titles and descriptions whose words are as unevenly frequent as those of real text. */
export function createTexts() {
  const words = [...frequentWords, ...inventWords(rareWords)]
  // Exponent 1 is what natural language has.
  const rank = zipf(words.length, 1)
  const sentence = (random: Random, length: number) => {
    const chosen = Array.from({ length }, () => words[rank(random)] as string)
    const text = chosen.join(' ')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  return {
    title: (random: Random) => sentence(random, 3 + random.below(6)),
    /** Some 60 to 400 characters. */
    description(random: Random, position: number) {
      const sentences = Array.from({ length: 1 + random.below(4) }, () =>
        sentence(random, 8 + random.below(9)),
      )
      for (const { word, every } of markers)
        if (position % every === every - 1) sentences.push(`Needs ${word}`)
      return `${sentences.join('. ')}.`
    },
  }
}

/** Identifiers, products and names: what makes the long tail of real text. */
function inventWords(count: number): string[] {
  const random = createRandom(7)
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + random.below(3) }, () => random.pick(syllables)).join(''),
  )
}
