/** Computes the sequence of a list that the owner sorts. */

/** Removes the ids of deleted entries from `order`, and appends the ids of missing entries. `present` contains the ids of all entries. */
export function completeSequence(present: readonly string[], order: readonly string[]): string[] {
  const known = [...new Set(order)].filter((id) => present.includes(id))
  return [...known, ...present.filter((id) => !known.includes(id))]
}

export function sequenceAfterStep(present: readonly string[], id: string, by: -1 | 1): string[] {
  const order = [...present]
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return order
  order.splice(to, 0, ...order.splice(from, 1))
  return order
}

/** Returns the sequence that a form requests. The form contains either the whole sequence or one entry that moves up or down. */
export function sequenceFromForm(form: FormData | undefined, present: string[]): string[] {
  if (form?.get('intent') === 'order') return form.getAll('order').map(String)
  if (form?.get('intent') === 'move')
    return sequenceAfterStep(present, String(form.get('id')), form.get('by') === 'up' ? -1 : 1)
  return present
}
