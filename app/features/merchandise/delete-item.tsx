/** Deleting the item in the form (MERCH-37, MERCH-40 to MERCH-42). */
import { useEffect, useRef } from 'react'
import { href, useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/ask.tsx'
import { useHasScript } from '#app/ui/back-field.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Item } from '#app/features/catalog/catalog.ts'
import { itemTexts } from './item-input.ts'

/** Lives with the page: the live channel may take the item, and its button, away before the answer is here. */
export function useDeletion({ itemId, item, onDeleted }: { itemId: string | null; item: Item | null; onDeleted: () => void }) {
  const fetcher = useFetcher<Answer & { deleted?: string }>()
  const { data, state } = fetcher
  useAnswerToasts(data)
  const isAnswered = itemId !== null && data?.deleted === itemId
  const latest = useRef(onDeleted)
  useEffect(() => {
    latest.current = onDeleted
  })
  // The address still names the item that is gone: leave it (S-098).
  useEffect(() => {
    if (isAnswered) latest.current()
  }, [isAnswered])
  return { fetcher, isDeleted: isAnswered || (itemId !== null && item === null && state !== 'idle') }
}

export function DeleteItem({ item, fetcher }: { item: Item; fetcher: ReturnType<typeof useDeletion>['fetcher'] }) {
  const hasScript = useHasScript()
  return (
    <Ask
      key={item.id}
      label="Delete"
      ariaLabel={`Delete ${item.name}`}
      question={`Delete ${item.name}?`}
      isPending={fetcher.state !== 'idle'}
      onNo={() => showToast(itemTexts.deleteCancelled)}
    >
      {(yesNo) => (
        <fetcher.Form method="post">
          {!hasScript && <input type="hidden" name="back" value={href('/manage/item/:itemid?')} />}
          <input type="hidden" name="intent" value="delete" />
          {yesNo}
        </fetcher.Form>
      )}
    </Ask>
  )
}
