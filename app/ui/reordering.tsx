import { ActionForm, useActionForm } from './action-form.tsx'
import { ArrowDown, ArrowUp } from './icons.tsx'
import { moveItem, parseReorder, reordered } from './list-order.ts'
import { sortableTexts as texts } from './owner-texts.ts'

export function useReordering<Entry extends { id: string }>(stored: readonly Entry[]) {
  const form = useActionForm()
  const present = stored.map(({ id }) => id)
  const change = form.formData ? parseReorder(form.formData) : null
  const order = (change && reordered(present, change)) ?? present
  return {
    form,
    entries: order.map((id) => stored.find((entry) => entry.id === id)!),
    move(from: number, to: number) {
      const fields = new FormData()
      fields.set('intent', 'order')
      for (const id of moveItem(order, from, to)) fields.append('order', id)
      void form.submit(fields, { method: 'post' })
    },
  }
}

type MoveFormProps = {
  list: ReturnType<typeof useReordering>
  id: string
  name: string
  look?: 'icons' | 'texts'
  className?: string
}

export function MoveForm({ list, id, name, look = 'texts', className = '' }: MoveFormProps) {
  const index = list.entries.findIndex((entry) => entry.id === id)
  const ends = { up: 0, down: list.entries.length - 1 }
  const arrows = { up: ArrowUp, down: ArrowDown }
  return (
    <ActionForm
      form={list.form}
      fields={{ intent: 'move', id }}
      className={`row ${className}`}
    >
      {(['up', 'down'] as const).map((by) => {
        const Arrow = arrows[by]
        return (
          <button
            key={by}
            className={look === 'icons' ? 'icon-button' : 'button quiet'}
            name="by"
            value={by}
            aria-disabled={index === ends[by] || undefined}
            aria-label={`${texts.step[by]}: ${name}`}
          >
            {look === 'icons' ? <Arrow size={20} /> : texts.step[by]}
          </button>
        )
      })}
    </ActionForm>
  )
}
