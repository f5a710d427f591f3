/** A doc comment of `text`, wrapped, or nothing where there is none. */
export function docComment(text: string, indent = ''): string {
  if (text.trim() === '') return ''
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line) => wrap(line, 110 - indent.length))
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} *${line ? ` ${line}` : ''}\n`).join('')}${indent} */\n`
}

function wrap(line: string, width: number): string[] {
  const lines = ['']
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last && last.length + word.length + 4 > width) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines
}
