/** ITEM-08: the description; of a long one the beginning, and the rest behind "Read more". */
import { splitDescription } from './item-description.ts'
import css from './item-description.module.css'

export function ItemDescription({ text }: { text: string }) {
  const [start, rest] = splitDescription(text)
  if (text.trim() === '') return null
  return (
    <div className={css.description}>
      <p className={css.text}>{start.trimEnd()}</p>
      {rest !== '' && (
        <details className={css.more}>
          <summary className={css.press}>
            <span>Read more</span>
            <span>Read less</span>
          </summary>
          <p className={css.text}>{rest.trimStart()}</p>
        </details>
      )}
    </div>
  )
}
