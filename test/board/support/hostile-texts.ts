/** Texts that try to be something else than text, by what they try. */
export const hostileTexts = {
  script: '<script>alert(1)</script>',
  image: '<img src=x onerror=alert(2)>',
  title: '</title></textarea></style></svg><h1 id=brought>Brought</h1>',
  attribute: '" onmouseover="alert(3)" x=\'',
  template: '{{constructor.constructor("alert(4)")()}} $\u007Balert(5)} <%= 6 %>',
  link: '[click](https://evil.example/a) <https://evil.example/b> https://evil.example/c',
  picture: '![picture](https://evil.example/p.png)',
  reference: '[ref]: https://evil.example/r "r"',
  javascript: '[x](javascript:alert(7)) javascript:alert(8)',
  data: '[d](data:text/html,<script>alert(9)</script>) data:text/html;base64,PHNjcmlwdD4=',
  override: 'right \u202Etfel\u202C \u202Dleft\u202C',
  unbalanced: 'unbalanced \u2066\u2067\u2068\u202B\u202E end',
  closers: '\u2069\u2069\u202C\u202C closers',
  combining: `Z${'\u0301\u0335\u0489'.repeat(60)}algo`,
  word: 'w'.repeat(190),
  rtl: 'שלום עולם مرحبا بالعالم (1) [2]',
  controls: 'bell\u0007 escape\u001B[31m unit\u001F delete\u007F next\u0085',
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍🚀 🇺🇳',
  backticks: '`` ` ``` ````` `',
  pipes: 'a | b || c \\| d \\',
  cell: 'a \\| <b id=brought>x</b> \\\\| [y](https://evil.example/y)',
  label: 'a`](https://evil.example/l) b',
  labelFirst: '`](https://evil.example/l) x',
  labelLast: 'x`` `](https://evil.example/l)',
  stars: '***bold*** __bold__ ~~struck~~ *a*',
  heading: '# heading\n## heading\n===\n---\n> quote\n- item\n1. item',
  fence: '```\n</code></pre>\n~~~\n```html\n<b>b</b>',
  comment: '<!-- comment --> <![CDATA[x]]> <?php x ?> &lt;b&gt; &#x202E;',
  separators: 'line\u2028paragraph\u2029end\u00A0wide\u3000',
} as const

export type HostileName = keyof typeof hostileTexts

/**
 * A letter with as many marks above and below it. Fonts pile these up, so that they paint over other lines where nothing holds
 * them; others stay in one place.
 */
export const withMarks = (marks: number) => `A${'\u0301'.repeat(marks / 2)}${'\u0323'.repeat(marks / 2)}B`

/** A word longer than any line, of as many characters as are wanted. */
export const longWord = (characters: number) => 'W'.repeat(characters)

/** All texts that fit into `most` characters, one after the other on lines of their own. */
export function everyText(most: number): string {
  let text = ''
  for (const each of Object.values(hostileTexts)) {
    const longer = text === '' ? each : `${text}\n${each}`
    if ([...longer].length <= most) text = longer
  }
  return text
}

/** A text as people are to see it: what only changes how other text looks is replaced. */
export function neutral(text: string): string {
  return [...text]
    .map((character) =>
      /^[\p{Cc}\u202A-\u202E\u2066-\u2069]$/u.test(character) && !/\s/.test(character) ? '\uFFFD' : character,
    )
    .join('')
}
