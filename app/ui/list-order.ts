/** `to` counts from 1. */
export type Reorder = { order: string[] } | { id: string; by: -1 | 1 } | { id: string; to: number }

export function parseReorder(form: FormData): Reorder | null {
  const intent = form.get('intent')
  if (intent === 'order') return { order: form.getAll('order').map(String) }
  if (intent !== 'move') return null
  const id = String(form.get('id'))
  const step = form.get('by')
  if (step === 'up') return { id, by: -1 }
  if (step === 'down') return { id, by: 1 }
  const to = Number(form.get('to') ?? undefined)
  return Number.isSafeInteger(to) && to >= 1 ? { id, to } : null
}

/** Ignores deleted entries and keeps new ones at the end, because the form may be outdated. */
export function reordered(present: readonly string[], change: Reorder) {
  if ('order' in change) {
    const order = [...new Set(change.order)].filter((id) => present.includes(id))
    return [...order, ...present.filter((id) => !order.includes(id))]
  }
  const from = present.indexOf(change.id)
  if (from < 0) return null
  const to = 'by' in change ? from + change.by : change.to - 1
  return moveItem(present, from, Math.min(Math.max(to, 0), present.length - 1))
}

export const moveItem = <Entry>(entries: readonly Entry[], from: number, to: number) =>
  entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!)
