/** Only the owner's pages use this component, because it loads the library dnd-kit. */
import { useState, type ReactNode } from 'react'
import { Accessibility } from '@dnd-kit/dom'
import {
  DragDropProvider,
  KeyboardSensor,
  PointerSensor,
  type DragEndEvent,
  type DragOverEvent,
  type DragStartEvent,
} from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { useHydrated } from './redirect-field.tsx'
import { GripVertical } from './icons.tsx'
import css from './sortable-list.module.css'
import { sortableTexts as texts } from './sortable-texts.ts'

type SortableEntry = { id: string; name: string }

type Props<T extends SortableEntry> = {
  items: readonly T[]
  label: string
  /** The list calls this function after the owner has moved an entry. The caller must then pass `items` in the new order without waiting for the server. */
  onMove: (from: number, to: number) => void
  /** `handle` is the button for dragging the entry. Dragging needs JavaScript, so each entry also needs buttons or a field for its position. */
  render: (item: T, handle: ReactNode, index: number) => ReactNode
  className?: string
  entryClassName?: string
  children?: ReactNode
}

// Dragging starts immediately, even by touch, because touching the handle cannot scroll the page.
const sensors = [
  PointerSensor.configure({ activationConstraints: () => undefined }),
  KeyboardSensor,
]

const entryName = ({ source }: DragStartEvent['operation']) =>
  isSortable(source)
    ? {
        name: String(source.data.name),
        from: source.initialIndex,
        at: source.index,
        count: Number(source.data.count),
      }
    : { name: '', from: 0, at: 0, count: 0 }
const announcements = {
  dragstart({ operation }: DragStartEvent) {
    const { name, at, count } = entryName(operation)
    return texts.pickedUp(name, at, count)
  },
  dragover({ operation }: DragOverEvent) {
    const { name, count } = entryName(operation)
    const { source, target } = operation
    return isSortable(target) && target.id !== source?.id
      ? texts.over(name, target.index, count)
      : undefined
  },
  dragend({ canceled, operation }: DragEndEvent) {
    const { name, from, at, count } = entryName(operation)
    return canceled ? texts.back(name, from, count) : texts.dropped(name, at, count)
  },
}
const accessibilityPlugin = Accessibility.configure({
  announcements,
  screenReaderInstructions: { draggable: texts.instructions },
})

export function SortableList<T extends SortableEntry>(props: Props<T>) {
  const { items, label, onMove, render, className, entryClassName, children } = props
  /** The list shows these entries while the owner drags one of them, and ignores new `items` until the drop. */
  const [held, setHeld] = useState<readonly T[] | null>(null)
  /** After a drop, the entry stays in its new place until the caller passes `items` in a new order. */
  const [landed, setLanded] = useState<{ id: string; to: number; of: string } | null>(null)
  const order = items.map(({ id }) => id).join()
  if (landed && landed.of !== order) setLanded(null)
  const from = landed ? items.findIndex(({ id }) => id === landed.id) : -1
  const shown =
    held ??
    (landed && from >= 0 ? moveItem(items, from, Math.min(landed.to, items.length - 1)) : items)

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
      plugins={(standard) => [
        ...standard.filter((plugin) => plugin !== Accessibility),
        accessibilityPlugin,
      ]}
      onDragStart={() => setHeld(items)}
      onDragEnd={onDragEnd}
    >
      <ol
        className={className}
        role="list"
        aria-label={label}
      >
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
  const hasScript = useHydrated()
  const { ref, handleRef } = useSortable({ id: item.id, index, data: { name: item.name, count } })
  // The handle is always rendered, because dnd-kit makes the whole entry draggable if the entry has no handle.
  const handle = (
    <button
      type="button"
      ref={handleRef}
      className={`icon-button soft ${css.handle}`}
      aria-label={texts.move(item.name)}
      disabled={!hasScript || count < 2}
    >
      <GripVertical
        size={20}
        aria-hidden
      />
    </button>
  )
  return (
    <li
      ref={ref}
      className={`${css.entry} ${className}`}
      aria-label={item.name}
    >
      {render(handle)}
    </li>
  )
}

export function moveItem<T>(entries: readonly T[], from: number, to: number): T[] {
  const order = [...entries]
  order.splice(to, 0, ...order.splice(from, 1))
  return order
}
