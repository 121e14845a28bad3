/** The heart that keeps an item among the favourites; shown to those who are signed in only (GALLERY-12, ITEM-26). */
import { href, useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { Heart } from '#app/ui/icons.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { favouriteTexts } from '#app/features/catalog/catalog.ts'
import css from './favourite-toggle.module.css'

type Props = { item: { id: string; name: string }; isFavourite: boolean }

export function FavouriteToggle({ item, isFavourite }: Props) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  // Until the answer is there the heart shows what was asked for; after a refusal what is stored shows again.
  const isRefused = fetcher.state === 'loading' && fetcher.data?.ok === false
  const asked = isRefused ? null : fetcher.formData?.get('wanted')
  const isOn = asked ? asked === 'yes' : isFavourite
  return (
    <fetcher.Form method="post" action={href('/favourite')} className={css.form} data-unsent={favouriteTexts.failed}>
      <BackField />
      <input type="hidden" name="itemId" value={item.id} />
      <button
        className={`in-middle round ${css.toggle}`}
        name="wanted"
        value={isOn ? 'no' : 'yes'}
        aria-pressed={isOn}
        aria-label={`Favorite: ${item.name}`}
      >
        <Heart aria-hidden size={22} />
      </button>
    </fetcher.Form>
  )
}
