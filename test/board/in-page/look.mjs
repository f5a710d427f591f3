/* Runs in each page before anything else. Tests call what it puts on `look`. It is text for the browser: it imports nothing. */
const look = { shifted: [] }
globalThis.look = look

new PerformanceObserver((list) => {
  // What follows a press within half a second is what it was pressed for.
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) look.shifted.push([value, ...sources.map(moved)].join('; '))
}).observe({ type: 'layout-shift', buffered: true })

document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error(`policy: ${violatedDirective} ${blockedURI}`),
)

/** An element that moved: its name, and where it was and is. The node is null where the page has dropped it. */
function moved({ node, previousRect, currentRect }) {
  const element = node?.localName ? node : node?.parentElement
  const [from, to] = [previousRect, currentRect].map(({ x, y, width, height }) =>
    [x, y, width, height].join(' '),
  )
  return `${element?.localName}.${element?.className} ${node?.textContent?.slice(0, 30)}: ${from} → ${to}`
}

/** Layout shifts are reported with the frame in which they happen, so the one after the next has them all. */
look.shifts = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(look.shifted))))

/** Resolves once the page has been painted with what it says. */
look.painted = () =>
  new Promise((resolve) => {
    new PerformanceObserver(() => requestAnimationFrame(() => resolve())).observe({
      type: 'paint',
      buffered: true,
    })
  })

/** What axe-core finds by all its default rules. */
look.axe = async () => {
  const { violations } = await globalThis.axe.run()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}

/** By how many CSS pixels the document is wider than the window. */
look.excess = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

/** What the keyboard has reached, and whether one sees that it has. */
look.focused = () => {
  const element = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const box = element.getBoundingClientRect()
  return {
    index: reachable().indexOf(element),
    name: `${element.localName}.${element.className} ${(element.textContent ?? '').slice(0, 30)}`,
    isMarked: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
    isInside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  }
}

/** What the keyboard has to reach, in the order of the document. */
function reachable() {
  const elements = document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, summary, .scroll, textarea',
  )
  return [...elements].filter((element) => element.checkVisibility())
}
look.reachable = () => reachable().map(({ localName, className }) => `${localName}.${className}`)

/** The elements that Markdown may become. */
const ofMarkdown =
  'p, li, ol, ul, blockquote, pre, code, strong, em, s, br, hr, a[rel], span.host, table, thead, tbody, tr, th, td'

/** What texts of others have brought that is no text. */
look.brought = () => ({
  text: document.body.textContent,
  elements: [...document.querySelectorAll(`.foreign:not(.prose) *, .prose.foreign :not(${ofMarkdown})`)].map(
    ({ outerHTML }) => outerHTML.slice(0, 200),
  ),
  scripts: document.querySelectorAll('script').length,
  headings: document.querySelectorAll('h1').length,
  handlers: [...document.querySelectorAll('*')].flatMap((element) =>
    element.getAttributeNames().filter((name) => /^(on|style$|srcdoc$)/.test(name)),
  ),
  origins: [
    ...new Set(
      [...document.querySelectorAll(':is([href], [src]):not(.prose a)')].map(
        (element) => new URL(element.href?.baseVal ?? element.href ?? element.src).origin,
      ),
    ),
  ],
})

/** Words of the board, and texts of others among them, that stand in another order on their line than in the text. */
look.reordered = () => {
  const found = []
  let before
  for (const { node, text, first, last } of pieces()) {
    const block = node.parentElement.closest('p, li, dd, dt, td, th, h1, h2, h3')
    if (isOnOneLine(first, last) && last.left < first.left) found.push(`within ${text}`)
    if (before?.block === block && isOnOneLine(before.last, first) && first.left < before.last.left)
      found.push(`${before.text} | ${text}`)
    before = { block, last, text }
  }
  return found
}

/** Words of the board, and texts of others that are on one line, with the boxes in which they begin and end. */
function* pieces() {
  const kinds = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT
  const walker = document.createTreeWalker(document.querySelector('main'), kinds)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent
    if (node instanceof Element) {
      const boxes = node.matches('.foreign') ? [...node.getClientRects()] : []
      const box = boxes.toSorted((one, other) => one.left - other.left)[0]
      if (box && boxes.every((other) => isOnOneLine(box, other))) yield { node, text, first: box, last: box }
    } else if (text.trim() !== '' && !node.parentElement.closest('.foreign, svg, select, noscript')) {
      const [first, last] = ends(node)
      if (first && last) yield { node, text, first, last }
    }
  }
}

const isOnOneLine = (one, other) => Math.abs(one.top - other.top) < 2 && one.height > 0 && other.height > 0

/** Boxes of the first and the last character that is no space. */
function ends(node) {
  const text = node.textContent
  const at = (index) => {
    const range = document.createRange()
    range.setStart(node, index)
    range.setEnd(node, index + 1)
    return range.getClientRects()[0]
  }
  return [at(text.search(/\S/)), at(text.trimEnd().length - 1)]
}

/** Elements of `main` that hold no element but inline ones and stick out of the one around them or of the window. */
look.overlaps = () => {
  const blocks = [
    ...document.querySelectorAll('main li, main tr, main dl > div, main h2, main h3, main figure'),
  ]
  const boxes = blocks.map((block) => [block, block.getBoundingClientRect()])
  return boxes.slice(1).flatMap(([block, box], index) => {
    const [other, above] = boxes[index]
    const isApart =
      block.parentElement === other.parentElement && box.left < above.right - 1 && above.left < box.right - 1
    return isApart && box.top < above.bottom - 1 ? [`${block.localName} over ${other.localName}`] : []
  })
}

look.isInMain = () => document.querySelector('main').contains(document.activeElement)

/** Where an element is in the document, and how far the document reaches. */
look.boxOf = (selector) => {
  const { top, bottom } = document.querySelector(selector).getBoundingClientRect()
  return { top: top + scrollY, bottom: bottom + scrollY, end: document.documentElement.scrollHeight }
}

/** Hides the texts of others in an element. */
look.hideIn = (selector) => {
  const box = document.querySelector(selector)
  for (const text of box.matches('.foreign') ? [box] : box.querySelectorAll('.foreign'))
    text.style.visibility = 'hidden'
}

/** First and last row of pixels in which two pictures (PNG in base64) differ; null if they are alike. */
look.changedRows = async (one, other) => {
  const pixels = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d')
    drawing.drawImage(image, 0, 0)
    return {
      width: image.width,
      data: new Uint32Array(drawing.getImageData(0, 0, image.width, image.height).data.buffer),
    }
  }
  const [{ width, data }, { data: others }] = [await pixels(one), await pixels(other)]
  const first = data.findIndex((value, index) => value !== others[index])
  const last = data.findLastIndex((value, index) => value !== others[index])
  return first < 0 ? null : [Math.floor(first / width), Math.floor(last / width)]
}

/** Makes texts twice as large, as the setting of a browser does. */
look.enlarge = () => {
  document.documentElement.style.fontSize = '200%'
}
