/** @jsxRuntime automatic @jsxImportSource preact */
import {
  type Action,
  type Block,
  type Command,
  type Entry,
  type Fact,
  type Field,
  grouped,
  type Table,
} from '../page.ts'
import { ChartImage } from './charts.tsx'
import { inline } from './inline.tsx'
import { ForeignMarkdown } from './markdown.tsx'

/** A part of a page, as a section if it has a title. `id` is unique in the page. */
export function BlockView({ of, id: given }: { of: Block; id: string }) {
  const id = of.id ?? given
  const body = <Body of={of} id={id} />
  if (!of.title) return body
  return (
    <section class={of.kind === 'card' ? 'card' : undefined} aria-labelledby={id}>
      <h2 id={id}>{of.title}</h2>
      {body}
    </section>
  )
}

/** Parts one below the other. */
export function BlocksView({ of, id }: { of: readonly Block[]; id: string }) {
  return of.map((block, index) => <BlockView of={block} id={`${id}-${index + 1}`} />)
}

/** `id` is that of the heading above it, if it has a title. */
function Body({ of, id }: { of: Block; id: string }) {
  const name = of.title && id
  switch (of.kind) {
    case 'note':
      return <p class={`note ${of.tone}`}>{inline(of.content)}</p>
    case 'facts':
    case 'figures':
      return <Facts {...of} />
    case 'card':
      return (
        <>
          {of.figure && <p class="figure">{inline(of.figure)}</p>}
          {of.note && <p class="worth">{inline(of.note)}</p>}
          <BlocksView of={of.blocks} id={id} />
        </>
      )
    case 'entries':
      return <Entries of={of} />
    case 'table':
      return <TableView of={of} name={name} />
    case 'actions':
      return (
        <div class="actions">
          {of.actions.map((action) => (
            <ActionView {...action} />
          ))}
          {of.note && <p class="note">{inline(of.note)}</p>}
        </div>
      )
    case 'command':
      return <CommandView {...of} />
    case 'folded':
      return (
        <details class="folded">
          <summary>{of.label}</summary>
          <BlocksView of={of.blocks} id={id} />
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
          <section id="desk" class="desk" hidden />
        </>
      )
  }
}

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

function Facts({ kind, facts }: { kind: string; facts: readonly Fact[] }) {
  return (
    <dl class={kind}>
      {facts.map(([label, value, note]) => (
        <div>
          <dt>{label}</dt>
          <dd>{inline(value)}</dd>
          {note && <dd class="worth">{inline(note)}</dd>}
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

function Entries({ of: { entries, label, orders = [], title, empty } }: { of: Of<'entries'> }) {
  if (entries.length === 0) return <p class="empty">{inline(empty)}</p>
  return (
    <>
      {orders.length > 0 && <Tabs label="Order" tabs={orders} />}
      {title && label && <p class="column">{label}</p>}
      <ul class="entries">
        {entries.map((entry) => (
          <EntryView of={entry} level={title ? 'h3' : 'h2'} />
        ))}
      </ul>
    </>
  )
}

/** An entry, whose title is a heading below that of the section or of the page. */
function EntryView({ of, level: Heading }: { of: Entry; level: 'h2' | 'h3' }) {
  const { title, figure, note, details } = of
  return (
    <li>
      <Heading class="title">{inline(title)}</Heading>
      <p class="figure">{inline(figure)}</p>
      <p class="details">
        {details.map((detail) => (
          <span>{inline(detail)}</span>
        ))}
      </p>
      {note && <p class="worth">{inline(note)}</p>}
    </li>
  )
}

function ActionView({ label, isFirst, commands }: Action) {
  return (
    <details>
      <summary class={isFirst ? 'action' : 'action second'}>{label}</summary>
      {commands.map((each) => (
        <CommandView {...each} />
      ))}
    </details>
  )
}

/** Something to copy. It wraps, so that nothing of it is off the screen. */
function CommandView({ label, command }: Command) {
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
        <button type="submit" class="plain">
          Show
        </button>
        {rare.length > 0 && (
          <details open={rare.some(({ value }) => value !== '')}>
            <summary class="action second">Filters</summary>
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
      {field.kind === 'choice' ? (
        <select id={id} name={name}>
          {field.options.map(([option, text]) => (
            <option value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      ) : field.kind === 'search' ? (
        <input
          id={id}
          name={name}
          value={value}
          type="search"
          placeholder={label}
          dir="auto"
          maxLength={200}
        />
      ) : (
        <input id={id} name={name} value={value} inputMode="decimal" pattern="\d+(\.\d+)?" maxLength={40} />
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
