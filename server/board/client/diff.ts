import { type Changes, type Inline, shown } from '../page.ts'
import { type Api, attempt, Failure } from './api.ts'
import { element, fill, inline } from './dom.ts'

/** Files are unfolded until so many lines are seen. */
const unfolded = 400
const tags = { '+': 'ins', '-': 'del' } as const

/** The changes of a submission up to a commit, a part for each file. */
export function createDiff(api: Api, submissionId: string, head: string, pr_url: string): HTMLElement {
  const node = element('div', 'diff', 'Reading the changes…')
  void attempt(api.get<Changes>(`/submissions/${submissionId}/diff?head=${head}`, {}, '')).then((read) => {
    const there: Inline = { href: `${pr_url}/files`, label: 'Read them at the code host' }
    if (read instanceof Failure) return fill(node, inline([read.message, ' ', there]))
    if (!read.files) return fill(node, inline(['The changes are too large to show here. ', there]))
    let lines = 0
    const files = read.files.map((file) => {
      const { path, additions, deletions, patch } = file
      lines += patch?.split('\n').length ?? 0
      const change = ` +${additions} −${deletions}`
      const open: Record<string, string> = lines <= unfolded ? { open: '' } : {}
      const body =
        patch === null ? element('p', {}, inline(['Too large to show here. ', there])) : code(patch)
      return element('details', open, element('summary', {}, inline([{ foreign: path }, change])), body)
    })
    fill(node, ...files)
  })
  return node
}

/** The lines of a patch. Those that the file has now bear their numbers. */
function code(patch: string): HTMLElement {
  let next = 0
  const lines = patch.split('\n').map((line) => {
    const tag = tags[line[0] as keyof typeof tags] ?? 'span'
    const [, first] = /^@@ .*?\+(\d+)/.exec(line) ?? []
    if (first) next = Number(first)
    // A line that begins with a backslash says that the file ends without a newline.
    const isOfFile = !first && tag !== 'del' && !line.startsWith('\\')
    const number: Record<string, string> = isOfFile ? { 'data-line': `${next++}` } : {}
    return element(tag, number, shown({ foreign: line }))
  })
  return element('pre', {}, ...lines)
}
