/** The headline whose last word changes every five seconds, and stands still for whoever wants it to (HOME-05 to HOME-07). */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useHasScript } from '#app/ui/back-field.tsx'
import { Pause, Play } from '#app/ui/icons.tsx'
import { useCalm } from '#app/ui/use-calm.ts'
import css from './headline.module.css'
import { HEADLINE, suffixWords, WORD_TIME } from './showcase.ts'

/**
 * `children` stand below the words; while one of them has the focus, the word waits. The change is not announced: a word every five
 * seconds would talk over whatever else is read, and whoever comes to the headline hears the word that stands there.
 */
export function Headline({ children, className }: { children: ReactNode; className?: string }) {
  const [index, setIndex] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const control = useRef<HTMLButtonElement>(null)
  const isCalm = useCalm()
  const hasScript = useHasScript()
  const isRunning = !isPaused && !isHovered && !isFocused && !isCalm
  // The clock is outside React; a hidden tab lets its ticks pass.
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => {
      if (!document.hidden) setIndex((now) => (now + 1) % suffixWords.length)
    }, WORD_TIME)
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    // The control is left out: whoever lets the words change has the focus on it.
    <div className={className} onFocus={(event) => setFocused(!control.current?.contains(event.target))} onBlur={() => setFocused(false)}>
      <div className={`anchor ${css.row}`}>
        <h1 className={`flush ${css.words}`} onPointerEnter={() => setHovered(true)} onPointerLeave={() => setHovered(false)}>
          {HEADLINE}{' '}
          <span className={`unbroken ${css.word}`} key={index} data-testid="suffix">
            {suffixWords[index]}
          </span>
        </h1>
        {hasScript && !isCalm && (
          <button
            type="button"
            ref={control}
            className={`icon-button soft ${css.pause}`}
            aria-label={isPaused ? 'Let the words change' : 'Pause the changing words'}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? <Play aria-hidden size={16} /> : <Pause aria-hidden size={16} />}
          </button>
        )}
      </div>
      {children}
    </div>
  )
}
