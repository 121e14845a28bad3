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
import { GripVertical } from './owner-icons.tsx'
import { moveItem } from './list-order.ts'
import css from './sortable-list.module.css'
import { sortableTexts as texts } from './owner-texts.ts'

type SortableEntry = { id: string; name: string }

type SortableListProps<Item extends SortableEntry> = {
  items: readonly Item[]
  label: string
  /** The caller must pass the new order at once, without waiting for the server. */
  onMove: (from: number, to: number) => void
  render: (item: Item, handle: ReactNode, index: number) => ReactNode
  className?: string
  entryClassName?: string
  children?: ReactNode
}

const sensors = [
  PointerSensor.configure({ activationConstraints: () => undefined }),
  KeyboardSensor,
]

const entryName = ({ source }: DragStartEvent['operation']) =>
  isSortable(source)
    ? {
        name: String(source.data.name),
        from: source.initialIndex,
        index: source.index,
        count: Number(source.data.count),
      }
    : { name: '', from: 0, index: 0, count: 0 }
const announcements = {
  dragstart({ operation }: DragStartEvent) {
    const { name, index, count } = entryName(operation)
    return texts.pickedUp(name, index, count)
  },
  dragover({ operation }: DragOverEvent) {
    const { name, count } = entryName(operation)
    const { source, target } = operation
    return isSortable(target) && target.id !== source?.id
      ? texts.over(name, target.index, count)
      : undefined
  },
  dragend({ canceled, operation }: DragEndEvent) {
    const { name, from, index, count } = entryName(operation)
    return canceled ? texts.back(name, from, count) : texts.dropped(name, index, count)
  },
}
const accessibilityPlugin = Accessibility.configure({
  announcements,
  screenReaderInstructions: { draggable: texts.instructions },
})

export function SortableList<Item extends SortableEntry>({
  items,
  label,
  onMove,
  render,
  className,
  entryClassName,
  children,
}: SortableListProps<Item>) {
  /** During a drag, the list ignores new `items`. */
  const [draggedItems, setDraggedItems] = useState<readonly Item[] | null>(null)
  const [drop, setDrop] = useState<{ id: string; to: number; of: string } | null>(null)
  const order = items.map(({ id }) => id).join()
  if (drop && drop.of !== order) setDrop(null)
  const from = drop ? items.findIndex(({ id }) => id === drop.id) : -1
  const visibleItems =
    draggedItems ??
    (drop && from >= 0 ? moveItem(items, from, Math.min(drop.to, items.length - 1)) : items)

  function onDragEnd({ canceled, operation: { source } }: DragEndEvent) {
    setDraggedItems(null)
    if (canceled || !isSortable(source)) return
    const id = String(source.id)
    const index = items.findIndex((item) => item.id === id)
    const to = Math.min(source.index, items.length - 1)
    if (index < 0 || index === to) return
    setDrop({ id, to, of: order })
    onMove(index, to)
  }

  return (
    <DragDropProvider
      sensors={sensors}
      plugins={(standard) => [
        ...standard.filter((plugin) => plugin !== Accessibility),
        accessibilityPlugin,
      ]}
      onDragStart={() => setDraggedItems(items)}
      onDragEnd={onDragEnd}
    >
      <ol
        className={className}
        role="list"
        aria-label={label}
      >
        {visibleItems.map((item, index) => (
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
  // Without a handle, dnd-kit makes the whole entry draggable.
  const handle = (
    <button
      type="button"
      ref={handleRef}
      className={`icon-button text-soft ${css.handle}`}
      aria-label={texts.move(item.name)}
      disabled={!hasScript || count < 2}
    >
      <GripVertical size={20} />
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
