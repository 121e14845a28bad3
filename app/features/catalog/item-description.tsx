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

/** characters; about nine lines on a phone */
const LONG = 420
const FEW_MORE = 160

/** Where it is cut: after the last whole sentence or paragraph, at the least between two words; the whole length when it is short. */
export function cutOfDescription(text: string): number {
  if (text.length <= LONG + FEW_MORE) return text.length
  const start = text.slice(0, LONG)
  const ends = [/^[\s\S]*\n/, /^[\s\S]*[.!?…]\s/, /^[\s\S]*\s/].map((end) => end.exec(start)?.[0].length ?? 0)
  return ends.find((end) => end > LONG / 3) ?? [...start].slice(0, -1).join('').length
}
