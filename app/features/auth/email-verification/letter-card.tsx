/** The frame of the pages around a letter: one narrow card with one thing to do. */
import { useEffect, useRef, type ReactNode } from 'react'
import { NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import css from './letter-card.module.css'

type Props = { title: string; error?: string | undefined; children: ReactNode }

export function LetterCard({ title, error = '', children }: Props) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    // The focus is the browser's: it goes to what has to be typed again (S-203).
    if (error) card.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return (
    <NarrowCard title={title} className={css.letter} ref={card}>
      <Refusal error={error} />
      {children}
    </NarrowCard>
  )
}

/** What has been done: it takes the focus from the form that is gone, and so is read out. */
export function Told({ children }: { children: ReactNode }) {
  const text = useRef<HTMLParagraphElement>(null)
  // The focus is the browser's.
  useEffect(() => text.current?.focus(), [])
  return (
    <p role="status" tabIndex={-1} ref={text} className={css.told}>
      {children}
    </p>
  )
}

/** Other ways on, under the form. */
export const OtherWays = ({ children }: { children: ReactNode }) => <p className={css.others}>{children}</p>

type CodeProps = { id: string; defaultValue: string; isInvalid: boolean; autoFocus?: boolean }

/** A code typed or pasted; dashes, spaces and small letters are all taken. */
export const CodeField = ({ id, defaultValue, isInvalid, autoFocus = false }: CodeProps) => (
  <div className="field">
    <label htmlFor={id}>Code</label>
    <input
      className={`input tabular ${css.code}`}
      id={id}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      required
      maxLength={200}
      autoFocus={autoFocus}
      defaultValue={defaultValue}
      aria-invalid={isInvalid || undefined}
    />
  </div>
)
