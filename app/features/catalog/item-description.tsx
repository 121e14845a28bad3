/** ITEM-08: the description, opened up to `cut`; of a long one the beginning, and the rest behind "Read more". */
import css from './item-description.module.css'

export function ItemDescription({ text, cut }: { text: string; cut: number }) {
  const [start, rest] = [text.slice(0, cut), text.slice(cut)]
  if (text.trim() === '') return null
  return (
    <div className={`gap-below ${css.description}`}>
      <p className={`flush ${css.text}`}>{start.trimEnd()}</p>
      {rest !== '' && (
        <details className={`column ${css.more}`}>
          <summary className={`tap accented ${css.press}`}>
            <span>Read more</span>
            <span>Read less</span>
          </summary>
          <p className={`flush ${css.text}`}>{rest.trimStart()}</p>
        </details>
      )}
    </div>
  )
}
