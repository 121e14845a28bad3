/** Decision 019. Only for the owner's pages: the library behind it is not for visitors. */
import { useState, type ReactNode } from 'react'
import { Accessibility } from '@dnd-kit/dom'
import { DragDropProvider, KeyboardSensor, PointerSensor, type DragEndEvent, type DragOverEvent, type DragStartEvent } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { useHasScript } from './back-field.tsx'
import { GripVertical } from './icons.tsx'
import css from './sortable-list.module.css'

type SortableEntry = { id: string; name: string }

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

// The handle is pulled at once, by a finger too: it has `touch-action: none`.
const sensors = [PointerSensor.configure({ activationConstraints: () => undefined }), KeyboardSensor]

/** What a screen reader says of the entry that moves, in the shop's words. */
const told = ({ source }: DragStartEvent['operation']) =>
  isSortable(source)
    ? { name: String(source.data.name), from: source.initialIndex, at: source.index, count: Number(source.data.count) }
    : { name: '', from: 0, at: 0, count: 0 }
const placeOf = (at: number, count: number) => `position ${at + 1} of ${count}`
const announcements = {
  dragstart({ operation }: DragStartEvent) {
    const { name, at, count } = told(operation)
    return `${name} picked up, ${placeOf(at, count)}. Move it with the arrow keys, put it down with the space bar, cancel with Escape.`
  },
  // The entry takes the place of the one that it lies over; at first that is itself.
  dragover({ operation }: DragOverEvent) {
    const { name, count } = told(operation)
    const { source, target } = operation
    return isSortable(target) && target.id !== source?.id ? `${name}, ${placeOf(target.index, count)}.` : undefined
  },
  dragend({ canceled, operation }: DragEndEvent) {
    const { name, from, at, count } = told(operation)
    return canceled ? `${name} is back at ${placeOf(from, count)}.` : `${name} put down at ${placeOf(at, count)}.`
  },
}
const draggable = 'Pull it to another place, or press the space bar and use the arrow keys.'
const spoken = Accessibility.configure({ announcements, screenReaderInstructions: { draggable } })

export function SortableList<T extends SortableEntry>(props: Props<T>) {
  const { items, label, onMove, render, className, entryClassName, children } = props
  /** While an entry is pulled the list stays as it was, whatever comes in from elsewhere. */
  const [held, setHeld] = useState<readonly T[] | null>(null)
  /** Put down, and not yet in `items`: until they come in another order than `of` it stays where it was put. */
  const [landed, setLanded] = useState<{ id: string; to: number; of: string } | null>(null)
  const order = items.map(({ id }) => id).join()
  if (landed && landed.of !== order) setLanded(null)
  const from = landed ? items.findIndex(({ id }) => id === landed.id) : -1
  const shown = held ?? (landed && from >= 0 ? movedTo(items, from, Math.min(landed.to, items.length - 1)) : items)

  function onDragEnd({ canceled, operation: { source } }: DragEndEvent) {
    setHeld(null)
    if (canceled || !isSortable(source)) return
    const id = String(source.id)
    const at = items.findIndex((item) => item.id === id)
    const to = Math.min(source.index, items.length - 1)
    if (at < 0 || at === to) return
    setLanded({ id, to, of: order })
    onMove(at, to)
  }

  return (
    <DragDropProvider
      sensors={sensors}
      plugins={(standard) => [...standard.filter((plugin) => plugin !== Accessibility), spoken]}
      onDragStart={() => setHeld(items)}
      onDragEnd={onDragEnd}
    >
      <ol className={className} role="list" aria-label={label}>
        {shown.map((item, index) => (
          <Entry
            key={item.id}
            item={item}
            index={index}
            count={items.length}
            className={entryClassName}
            render={(handle) => render(item, handle, index)}
          />
        ))}
        {children}
      </ol>
    </DragDropProvider>
  )
}

type EntryProps = {
  item: SortableEntry
  index: number
  count: number
  className: string | undefined
  render: (handle: ReactNode) => ReactNode
}

function Entry({ item, index, count, className = '', render }: EntryProps) {
  const hasScript = useHasScript()
  const { ref, handleRef } = useSortable({ id: item.id, index, data: { name: item.name, count } })
  // It is always rendered: without it the library would make the whole entry the handle.
  const handle = (
    <button
      type="button"
      ref={handleRef}
      className={`icon-button soft ${css.handle}`}
      aria-label={`Move ${item.name}`}
      disabled={!hasScript || count < 2}
    >
      <GripVertical size={20} aria-hidden />
    </button>
  )
  return (
    <li ref={ref} className={`${css.entry} ${className}`} aria-label={item.name}>
      {render(handle)}
    </li>
  )
}

export function movedTo<T>(entries: readonly T[], from: number, to: number): T[] {
  const order = [...entries]
  order.splice(to, 0, ...order.splice(from, 1))
  return order
}
