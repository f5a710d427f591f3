const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
/** Longer ago, a date says more. */
const mostDays = 30
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** Says when moments are from now: `3 minutes ago`. The moment in UTC stays as their title. */
export function addAges(within: ParentNode): void {
  for (const time of within.querySelectorAll('time')) {
    time.title ||= time.textContent ?? ''
    time.textContent = ageOf(Date.parse(time.dateTime))
  }
}

function ageOf(moment: number): string {
  const seconds = Math.round((moment - Date.now()) / 1000)
  if (Math.abs(seconds) > mostDays * 86_400) return date.format(moment)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[3]
  return words.format(Math.trunc(seconds / size), unit)
}
