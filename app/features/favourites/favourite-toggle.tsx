/** The heart that keeps an item among the favourites; shown to those who are signed in only (GALLERY-12, ITEM-26). */
import Heart from 'lucide-react/icons/heart'
import { href, useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import css from './favourite-toggle.module.css'

type Props = { item: { id: string; name: string }; isFavourite: boolean }

export function FavouriteToggle({ item, isFavourite }: Props) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  // Until the answer is there the heart shows what was asked for; after a refusal what is stored shows again.
  const asked = fetcher.formData?.get('wanted')
  const isOn = asked ? asked === 'yes' : isFavourite
  return (
    <fetcher.Form method="post" action={href('/favourite')} className={css.form}>
      <BackField />
      <input type="hidden" name="itemId" value={item.id} />
      <button className={css.toggle} name="wanted" value={isOn ? 'no' : 'yes'} aria-pressed={isOn} aria-label={`Favorite: ${item.name}`}>
        <Heart aria-hidden size={22} />
      </button>
    </fetcher.Form>
  )
}
