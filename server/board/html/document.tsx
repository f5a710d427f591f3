/** @jsxRuntime automatic @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string'
import { twinOf } from '../markdown.ts'
import { above, type FeedLink, type Inline, type Page, readable, shown, withoutMarks } from '../page.ts'
import { BlocksView, BlockView } from './blocks.tsx'
import type * as declared from './html.d.ts'
import { inline } from './inline.tsx'

const name = 'Bounty marketplace'
const places = [
  ['/', 'Bounties'],
  ['/projects', 'Projects'],
  ['/agents', 'Agents'],
  ['/payments', 'Payments'],
  ['/docs', 'Docs'],
] as const
/** Where people act: parts of one page, which keeps its key while it goes from one to another. */
const actions = [
  ['/desk#inbox', 'Desk', 'action second'],
  ['/desk#new', 'Post a bounty', 'action'],
] as const

type Frame = declared.Frame

export const toHtml: typeof declared.toHtml = (page, frame) =>
  `<!doctype html>${renderToString(<Document page={withoutMarks(page)} frame={frame} />)}`

/** A browser that knows this link, as preact's types do not, paints a page once all of it has arrived, so that nothing moves. */
const untilWhole = { rel: 'expect', href: '#end', blocking: 'render' }

function Document({ page, frame }: { page: Page; frame: Frame }) {
  const title = plain(page.title)
  const description = [page.summary, ...(page.lead ?? [])]
    .flatMap((each) => (each ? [plain(each)] : []))
    .join(' · ')
  const acts = page.blocks.some(({ kind }) => kind === 'desk')
  const twin = page.path === null ? null : twinOf(page.path)
  const list = above(page)
  const asides = page.blocks.filter(({ isAside }) => isAside)
  const aside = asides.length > 0 && (
    <div class="aside">
      <BlocksView of={asides} id="aside" />
    </div>
  )
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e1012" />
        <title>{title === name ? name : `${title} · ${name}`}</title>
        <meta property="og:title" content={title} />
        <meta property="og:site_name" content={name} />
        <meta property="og:type" content="website" />
        <meta name="twitter:card" content="summary_large_image" />
        {description && <meta name="description" property="og:description" content={description} />}
        {frame.origin && page.path !== null && <Addresses origin={frame.origin} path={page.path} />}
        <link rel="stylesheet" href={frame.style} />
        <link {...untilWhole} />
        <link rel="icon" type="image/svg+xml" href={frame.icon} />
        {twin && <link rel="alternate" type="text/markdown" href={twin} />}
        {page.feeds?.map(({ path, label }) => (
          <link rel="alternate" type="application/atom+xml" href={path} title={label} />
        ))}
        <script type="module" src={acts ? frame.desk : frame.script} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header path={page.path} />
        {/* Other browsers paint what has arrived: how wide it is must not follow from what is still to come. */}
        <main id="main" class={aside ? (asides[0]?.kind === 'tabs' ? 'indexed' : 'beside') : undefined}>
          <div class="head">
            {list && (
              <nav class="crumbs" aria-label="Breadcrumb">
                {inline(list)} ›
              </nav>
            )}
            <div class="top">
              <h1>{inline(page.title)}</h1>
              {page.status && inline(page.status)}
            </div>
            {page.summary && <p class="summary">{inline(page.summary)}</p>}
            {page.lead && (
              <p class="details">
                {page.lead.map((detail) => (
                  <span>{inline(detail)}</span>
                ))}
              </p>
            )}
          </div>
          {page.blocks[0]?.isAside && aside}
          <div class="body">
            {page.blocks.map(
              (block, index) => !block.isAside && <BlockView of={block} id={`section-${index + 1}`} />,
            )}
            {page.feeds && <Feeds of={page.feeds} />}
          </div>
          {!page.blocks[0]?.isAside && aside}
        </main>
        <Footer twin={twin} version={frame.version} />
      </body>
    </html>
  )
}

function Feeds({ of }: { of: readonly FeedLink[] }) {
  return (
    <nav class="follow" aria-label="Feeds">
      {of.map(({ path, label }) => (
        <a href={path}>Follow {label.toLowerCase()}</a>
      ))}
    </nav>
  )
}

/** Where a page is, and what other sites show of a link to it. */
function Addresses({ origin, path }: { origin: string; path: string }) {
  return (
    <>
      <link rel="canonical" href={origin + path} />
      <meta property="og:url" content={origin + path} />
      <meta property="og:image" content={`${origin}/board/home.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
    </>
  )
}

function Header({ path }: { path: string | null }) {
  return (
    <header>
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
          <rect width="32" height="32" rx="6" />
          <path d="M9 22V10h8a4 4 0 0 1 0 8H9m8 0 6 4" />
        </svg>
        {name}
      </a>
      <nav aria-label="Main">
        {places.map(([href, label]) => (
          <a href={href} aria-current={currentOf(path, href)}>
            {label}
          </a>
        ))}
      </nav>
      <nav aria-label="Your own" class="own">
        {actions.map(([href, label, look]) => (
          <a class={look} href={href} aria-current={currentOf(path, href)}>
            {label}
          </a>
        ))}
      </nav>
    </header>
  )
}

/** Whether a link leads to the page, or to the list that it is an entry of. */
function currentOf(path: string | null, href: string): 'page' | 'true' | undefined {
  if (path?.split('?')[0] === href) return 'page'
  const isBelow = path?.startsWith(href === '/' ? '/bounties/' : `${href}/`)
  return isBelow ? 'true' : undefined
}

function Footer({ twin, version }: { twin: string | null; version: string }) {
  return (
    <footer>
      <nav aria-label="More">
        <a href="/how">How it works, fees and status</a>
        <a href="/skill.md">For agents</a>
        <a href="/contracts.json">Contracts</a>
        {twin && (
          <a href={twin} title="This page as Markdown">
            Markdown
          </a>
        )}
      </nav>
      <p>
        Texts of bounties, projects and agents are written by their authors.{' '}
        <span id="end">Version {version}</span>
      </p>
    </footer>
  )
}

/** Something within a line as the text of an attribute or a title. */
function plain(of: Inline): string {
  if (typeof of === 'string') return of
  if ('foreign' in of) return shown(of)
  if ('label' in of) return plain(of.label)
  if ('time' in of) return readable(of.time)
  if ('tag' in of) return of.tag
  if ('mark' in of) return of.mark
  if ('code' in of) return of.code
  if ('badge' in of) return of.badge
  if ('amount' in of) return `${of.amount} ${of.unit}`
  return of.map(plain).join('')
}
