/** @jsxRuntime automatic @jsxImportSource preact */
import { type Block, type Entry, type Field, grouped, type Table, type Way } from '../page.ts'
import { ChartImage } from './charts.tsx'
import { inline } from './inline.tsx'
import { ForeignMarkdown } from './markdown.tsx'

/** A part of a page, as a section if it has a title. `id` is unique in the page. */
export function BlockView({ of, id }: { of: Block; id: string }) {
  const body = <Body of={of} name={of.title && id} />
  if (!of.title) return body
  return (
    <section class={'isAside' in of ? 'aside' : undefined} aria-labelledby={id}>
      <h2 id={id}>{of.title}</h2>
      {body}
    </section>
  )
}

/** `name` is the id of the heading above it. */
function Body({ of, name }: { of: Block; name?: string }) {
  switch (of.kind) {
    case 'note':
      return <p class={`note ${of.tone}`}>{inline(of.content)}</p>
    case 'figures':
      return <Figures of={of.figures} />
    case 'facts':
      return <Facts facts={of.facts} />
    case 'entries':
      return of.entries.length === 0 ? (
        <p class="empty">{inline(of.empty)}</p>
      ) : (
        <ul class="entries">
          {of.entries.map((entry) => (
            <EntryView of={entry} level={of.title ? 'h3' : 'h2'} />
          ))}
        </ul>
      )
    case 'table':
      return <TableView of={of} name={name} />
    case 'ways':
      return (
        <div class="ways">
          {of.ways.map((way) => (
            <WayView of={way} level={of.title ? 'h3' : 'h2'} />
          ))}
        </div>
      )
    case 'steps':
      return <Steps steps={of.steps} />
    case 'command':
      return <Command label={of.label} command={of.command} />
    case 'folded':
      return (
        <details>
          <summary>{of.label}</summary>
          {of.commands.map((each) => (
            <Command {...each} />
          ))}
        </details>
      )
    case 'tabs':
      return <Tabs label={of.label} tabs={of.tabs} />
    case 'more':
      return <p class="more">{inline(of)}</p>
    case 'text':
      return <ForeignMarkdown foreign={of.foreign} />
    case 'conversation':
      return <Conversation parts={of.parts} />
    case 'timeline':
      return <Timeline of={of} />
    case 'chart':
      return <ChartView of={of} name={name} />
    case 'filters':
      return <Filters action={of.action} fields={of.fields} />
    case 'pager':
      return <Pager {...of} />
    case 'desk':
      return (
        <>
          <noscript>
            <p class="note info">{of.without}</p>
          </noscript>
          <section id={of.tool} class="desk" hidden />
        </>
      )
  }
}

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

function Facts({ facts }: Pick<Of<'facts'>, 'facts'>) {
  return (
    <dl class="facts">
      {facts.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{inline(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Conversation({ parts }: Pick<Of<'conversation'>, 'parts'>) {
  return (
    <ol class="entries">
      {parts.map(({ id, time, content, text }) => (
        <li id={id}>
          <p class="details">
            <span>{inline(content)}</span>
            <span>{inline({ time })}</span>
          </p>
          {typeof text === 'string' ? <p class="prose">{text}</p> : <ForeignMarkdown {...text} />}
        </li>
      ))}
    </ol>
  )
}

function Steps({ steps }: Pick<Of<'steps'>, 'steps'>) {
  return (
    <ol class="steps">
      {steps.map(([name, text]) => (
        <li>
          <strong>{name}</strong>
          <p>{inline(text)}</p>
        </li>
      ))}
    </ol>
  )
}

/** The parts of a list, the open one marked. */
function Tabs({ label, tabs }: Pick<Of<'tabs'>, 'label' | 'tabs'>) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ label, count, page, isCurrent }) => (
        <a href={page} aria-current={isCurrent ? 'page' : undefined}>
          {label}
          {count !== undefined && <data value={count}> {grouped(String(count))}</data>}
        </a>
      ))}
    </nav>
  )
}

function Figures({ of }: { of: Of<'figures'>['figures'] }) {
  return (
    <dl class="figures">
      {of.map(({ label, value, page }) => (
        <div>
          <dt>{label}</dt>
          <dd>{inline(page ? { page, label: value } : value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An entry, whose title is a heading below that of the section or of the page. */
function EntryView({ of, level: Heading }: { of: Entry; level: 'h2' | 'h3' }) {
  const { title, figure, note, text, details } = of
  return (
    <li>
      <Heading class="title">{inline(title)}</Heading>
      <p class="figure">
        {inline(figure)}
        {note && <span class="worth">{inline(note)}</span>}
      </p>
      {text && (
        <p class="excerpt" dir="auto">
          {inline(text)}
        </p>
      )}
      <p class="details">
        {details.map((detail) => (
          <span>{inline(detail)}</span>
        ))}
      </p>
    </li>
  )
}

function WayView({
  of: { title, text, commands = [], action },
  level: Heading,
}: {
  of: Way
  level: 'h2' | 'h3'
}) {
  return (
    <div class="way">
      <Heading>{title}</Heading>
      <p>{inline(text)}</p>
      {action && (
        <a class="action" href={action.page}>
          {action.label}
        </a>
      )}
      {commands.map((each) => (
        <Command {...each} />
      ))}
    </div>
  )
}

/** Something to copy. It wraps, so that nothing of it is off the screen. */
function Command({ label, command }: { label: string; command: string }) {
  return (
    <div class="command">
      <p>{label}</p>
      <pre class="copyable">{command}</pre>
    </div>
  )
}

/** A table. Phones show its rows as cards; elsewhere it scrolls on its own if it is wide, so the keyboard has to reach it. */
function TableView({ of, name }: { of: Table; name?: string }) {
  if (of.rows.length === 0) return <p class="empty">{of.empty}</p>
  const classOf = (column: number) => (of.columns[column]?.numeric ? 'numeric' : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields
    <div class="scroll" role="group" aria-labelledby={name} tabIndex={0}>
      <table aria-labelledby={name}>
        <thead>
          <tr>
            {of.columns.map(({ label }, column) => (
              <th scope="col" class={classOf(column)}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.rows.map((cells) => (
            <tr>
              {cells.map((cell, column) => (
                <td class={classOf(column)} data-label={of.columns[column]?.label}>
                  {inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Timeline({ of: { items, live } }: { of: Of<'timeline'> }) {
  return (
    <ol class="timeline" data-live={live?.url} data-after={live?.after}>
      {items.map(({ id, time, content }) => (
        <li id={id}>
          {inline({ time })}
          <span>{inline(content)}</span>
        </li>
      ))}
    </ol>
  )
}

function ChartView({ of, name }: { of: Of<'chart'>; name?: string }) {
  return (
    <figure class="chart">
      <ChartImage of={of.chart} label={of.title ?? ''} />
      <details>
        <summary>As a table</summary>
        <TableView of={of.table} name={name} />
      </details>
    </figure>
  )
}

function Filters({ action, fields }: { action: string; fields: readonly Field[] }) {
  const rare = fields.filter(({ isRare }) => isRare)
  return (
    <search>
      <form class="filters" method="get" action={action} autocomplete="off">
        {fields
          .filter(({ isRare }) => !isRare)
          .map((field) => (
            <FieldView {...field} />
          ))}
        <button type="submit">Show</button>
        {rare.length > 0 && (
          <details open={rare.some(({ value }) => value !== '')}>
            <summary>Filters</summary>
            <div class="filters">
              {rare.map((field) => (
                <FieldView {...field} />
              ))}
            </div>
          </details>
        )}
      </form>
    </search>
  )
}

function FieldView(field: Field) {
  const { name, label, value } = field
  if (field.kind === 'hidden') return value ? <input type="hidden" name={name} value={value} /> : null
  const id = `filter-${name}`
  return (
    <div>
      <label for={id}>{label}</label>
      {field.kind === 'search' ? (
        <input {...{ id, name, value }} type="search" placeholder={label} dir="auto" maxLength={200} />
      ) : (
        <select id={id} name={name}>
          {field.options.map(([option, text]) => (
            <option value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

function Pager({ first, previous, next }: Pick<Of<'pager'>, 'first' | 'previous' | 'next'>) {
  const links = [
    [first, 'First page', undefined],
    [previous, 'Previous page', 'prev'],
    [next, 'Next page', 'next'],
  ] as const
  if (!links.some(([page]) => page)) return null
  return (
    <nav class="pager" aria-label="Pages">
      {links.map(([page, label, rel]) =>
        page ? (
          <a href={page} rel={rel}>
            {label}
          </a>
        ) : null,
      )}
    </nav>
  )
}
