import { Form, href, Link, useFetcher, useNavigation } from 'react-router'
import type { Item } from '#app/features/catalog/catalog.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import css from './edit-items-page.module.css'
import { itemActionTexts as texts } from './texts.ts'

export function ItemActions({ item: { id, state } }: { item: Pick<Item, 'id' | 'state'> }) {
  const fetcher = useFetcher<ActionResult>()
  const isDuplicating = useNavigation().formData?.get('intent') === 'duplicate'
  useActionToasts(fetcher.data)
  const action = href('/manage/item/:itemid?', { itemid: id })
  const isForSale = state === 'listed'
  return (
    <div className={`cluster ${css.actions}`}>
      {state !== 'listed' && <strong className={css.state}>{texts.states[state]}</strong>}
      <Link
        className="tap"
        to={href('/item/:itemid', { itemid: id })}
      >
        {state === 'draft' ? texts.preview : texts.see}
      </Link>
      {/* After the shop has duplicated the item, the shop redirects the owner to the copy. */}
      <Form
        method="post"
        action={action}
      >
        <input
          type="hidden"
          name="intent"
          value="duplicate"
        />
        <button
          className="button quiet"
          aria-disabled={isDuplicating}
        >
          {texts.duplicate}
        </button>
      </Form>
      {state !== 'draft' && (
        <fetcher.Form
          method="post"
          action={action}
        >
          <HiddenFields
            intent="state"
            state={isForSale ? 'retired' : 'listed'}
          />
          <button
            className="button quiet"
            aria-disabled={fetcher.state !== 'idle'}
          >
            {isForSale ? texts.retire : texts.sell}
          </button>
        </fetcher.Form>
      )}
    </div>
  )
}
