/** Decision 019. Only for the owner's pages: the library behind it is not for visitors. */
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Accessibility } from '@dnd-kit/dom'
import { DragDropProvider, PointerSensor, type DragEndEvent, type DragStartEvent } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { useHasScript } from './back-field.tsx'
import { GripVertical } from './icons.tsx'
import css from './sortable-list.module.css'

export type SortableEntry = { id: string; name: string }

type Props<T extends SortableEntry> = {
  items: readonly T[]
  label: string
  /** Called once, when an entry is put down elsewhere; `items` must then come in the new order at once, whatever the server says later. */
  onMove: (from: number, to: number) => void
  /** `handle` is a button of 44 px; before script and without it an empty place. Pulling is not for everybody: give buttons or a field too. */
  render: (item: T, handle: ReactNode, index: number) => ReactNode
  className?: string
  entryClassName?: string
  children?: ReactNode
}

// The handle is pulled at once, by a finger too: it has `touch-action: none`. What is spoken is said here, in the shop's words.
const sensors = [PointerSensor.configure({ activationConstraints: () => undefined })]

export function SortableList<T extends SortableEntry>(props: Props<T>) {
  const { items, label, onMove, render, className, entryClassName, children } = props
  const hint = useId()
  const list = useRef<HTMLOListElement>(null)
  const [told, setTold] = useState('')
  /** what the arrow keys move, and where it would be put down */
  const [picked, setPicked] = useState<{ id: string; to: number } | null>(null)
  /** While an entry is pulled the list stays as it was, whatever comes in from elsewhere. */
  const [held, setHeld] = useState<readonly T[] | null>(null)
  /** Put down, and not yet in `items`: until they come in another order than `of` it stays where it was put. */
  const [landed, setLanded] = useState<{ id: string; to: number; of: string } | null>(null)
  const order = items.map(({ id }) => id).join()
  if (landed && landed.of !== order) setLanded(null)
  const away = picked ?? landed
  const awayFrom = away ? items.findIndex(({ id }) => id === away.id) : -1
  const shown = held ?? (away && awayFrom >= 0 ? movedTo(items, awayFrom, Math.min(away.to, items.length - 1)) : items)
  const place = (at: number) => `position ${at + 1} of ${items.length}`

  function putDown(id: string, to: number) {
    const from = items.findIndex((item) => item.id === id)
    const at = Math.min(to, items.length - 1)
    if (from < 0) return
    setTold(`${items[from]!.name} put down at ${place(at)}.`)
    if (from === at) return
    setLanded({ id, to: at, of: order })
    onMove(from, at)
  }
  function putBack(id: string) {
    const at = items.findIndex((item) => item.id === id)
    if (at >= 0) setTold(`${items[at]!.name} is back at ${place(at)}.`)
  }
  function toggle(item: T, index: number) {
    if (picked) putDown(picked.id, picked.to)
    setPicked(picked ? null : { id: item.id, to: index })
    if (!picked)
      setTold(`${item.name} picked up, ${place(index)}. Move it with the arrow keys, put it down with the space bar, cancel with Escape.`)
  }
  function onKey(event: KeyboardEvent, item: T, index: number) {
    if (picked?.id !== item.id) return
    if (event.key === 'Escape') {
      event.preventDefault()
      setPicked(null)
      putBack(item.id)
      return
    }
    const to = stepOf(event.key, index, items.length, columnsOf(list.current))
    if (to === null) return
    event.preventDefault()
    if (to === undefined) return
    setPicked({ id: item.id, to })
    setTold(`${item.name}, ${place(to)}.`)
  }
  function leave() {
    if (picked) putDown(picked.id, picked.to)
    setPicked(null)
  }
  function onDragStart({ operation: { source } }: DragStartEvent) {
    setHeld(items)
    const at = items.findIndex(({ id }) => id === source?.id)
    if (at >= 0) setTold(`${items[at]!.name} picked up, ${place(at)}.`)
  }
  function onDragEnd({ canceled, operation: { source } }: DragEndEvent) {
    setHeld(null)
    if (!isSortable(source)) return
    if (canceled) putBack(String(source.id))
    else putDown(String(source.id), source.index)
  }

  return (
    <DragDropProvider
      sensors={sensors}
      plugins={(standard) => standard.filter((plugin) => plugin !== Accessibility)}
      onDragStart={onDragStart}
      onDragEnd={onDragEnd}
    >
      <ol ref={list} className={className} role="list" aria-label={label}>
        {shown.map((item, index) => (
          <Entry
            key={item.id}
            item={item}
            index={index}
            className={entryClassName}
            isPicked={picked?.id === item.id}
            isAlone={items.length < 2}
            hint={hint}
            onToggle={() => toggle(item, index)}
            onKey={(event) => onKey(event, item, index)}
            onLeave={leave}
            render={(handle) => render(item, handle, index)}
          />
        ))}
        {children}
      </ol>
      <p className="unseen" id={hint}>
        Pull it to another place, or press the space bar and use the arrow keys.
      </p>
      <p className="unseen" role="status">
        {told}
      </p>
    </DragDropProvider>
  )
}

type EntryProps = {
  item: SortableEntry
  index: number
  className: string | undefined
  isPicked: boolean
  isAlone: boolean
  hint: string
  onToggle: () => void
  onKey: (event: KeyboardEvent) => void
  onLeave: () => void
  render: (handle: ReactNode) => ReactNode
}

function Entry({ item, index, className = '', isPicked, isAlone, hint, onToggle, onKey, onLeave, render }: EntryProps) {
  const hasScript = useHasScript()
  const entry = useRef<HTMLLIElement | null>(null)
  const { ref, handleRef } = useSortable({ id: item.id, index })
  const entryRef = useCallback(
    (element: HTMLLIElement | null) => {
      entry.current = element
      ref(element)
    },
    [ref],
  )
  // The browser scrolls to what gets the focus, not to what has it and is moved.
  useEffect(() => {
    if (isPicked) entry.current?.scrollIntoView({ block: 'nearest' })
  }, [isPicked, index])
  const handle =
    hasScript && !isAlone ? (
      <button
        type="button"
        ref={handleRef}
        className={`icon-button soft ${css.handle}`}
        aria-label={`Move ${item.name}`}
        aria-describedby={hint}
        aria-pressed={isPicked}
        // Keys and screen readers press without a pointer; a pointer pulls.
        onClick={({ detail }) => detail === 0 && onToggle()}
        onKeyDown={onKey}
        onBlur={onLeave}
      >
        <GripVertical size={20} aria-hidden />
      </button>
    ) : (
      <span className={css.space} />
    )
  return (
    <li ref={entryRef} className={`${css.entry} ${className}`} aria-label={item.name} data-picked={isPicked || undefined}>
      {render(handle)}
    </li>
  )
}

function columnsOf(list: HTMLElement | null): number {
  const entries = [...(list?.children ?? [])] as HTMLElement[]
  return entries.filter((entry) => entry.offsetTop === entries[0]?.offsetTop).length
}

export function movedTo<T>(entries: readonly T[], from: number, to: number): T[] {
  const order = [...entries]
  order.splice(to, 0, ...order.splice(from, 1))
  return order
}

/** The place that a key leads to from `at`; null: not a key that moves, undefined: there is no place in that direction. */
export function stepOf(key: string, at: number, count: number, columns: number): number | null | undefined {
  const row = columns > 1 ? columns : 1
  const to: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - row,
    ArrowDown: at + row,
    Home: 0,
    End: count - 1,
  }
  const place = to[key]
  if (place === undefined) return null
  return place >= 0 && place < count ? place : undefined
}
