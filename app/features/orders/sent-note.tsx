import { Link, useLocation } from 'react-router'
import { GuestNote } from '#conversation/guest-note.tsx'
import { withPanel } from '#ui/message-panel-url.ts'
import { sentTexts } from './sent-texts.ts'

/** React would call a new ref function after each render. */
const focus = (element: HTMLElement | null) => element?.focus()

type SentNoteProps = { away: string; isGuest: boolean; onAnother: () => void }

export function SentNote({ away, isGuest, onAnother }: SentNoteProps) {
  return (
    <div className="grid gap-4">
      <p
        className="notice m-0"
        tabIndex={-1}
        ref={focus}
      >
        {sentTexts.done} {away}
      </p>
      {isGuest && <GuestNote className="notice m-0" />}
      <Link
        className="button"
        to={withPanel(useLocation().search)}
        preventScrollReset
      >
        {sentTexts.conversation}
      </Link>
      <button
        type="button"
        className="button quiet"
        onClick={onAnother}
      >
        {sentTexts.another}
      </button>
    </div>
  )
}
