/** The owner's saved replies beside the box to write in: one press puts one where her cursor is. */
import { useEffect, useRef, useState } from 'react'
import { Link, useFetcher } from 'react-router'
import { MessageSquareText } from 'lucide-react'
import { useHasScript } from '#app/ui/back-field.tsx'
import { fillReply, insertReply } from './saved-reply.ts'
import css from './saved-replies.module.css'

/** S-184; `name` is the customer's. It stands in the form of the box; without script she copies from the page of the replies. */
export function SavedReplies({ name }: { name: string }) {
  const hasScript = useHasScript()
  const frame = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { load, data } = useFetcher<{ replies: { id: string; title: string; text: string }[] }>()

  // A press beside it closes it, like any menu.
  useEffect(() => {
    if (!isOpen) return
    const close = ({ target }: Event) => {
      if (target instanceof Node && !frame.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('focusin', close)
    }
  }, [isOpen])

  function open() {
    if (!isOpen) void load('/manage/replies/')
    setOpen(!isOpen)
  }
  function insert(text: string) {
    setOpen(false)
    const box = frame.current?.closest('form')?.elements.namedItem('message')
    if (!(box instanceof HTMLTextAreaElement)) return
    const [before, after] = [box.value.slice(0, box.selectionStart), box.value.slice(box.selectionEnd)]
    const inserted = insertReply(before, fillReply(text, name), after)
    box.value = inserted.text
    // The box keeps what is typed, and measures it, by this.
    box.dispatchEvent(new Event('input', { bubbles: true }))
    box.focus()
    box.setSelectionRange(inserted.cursor, inserted.cursor)
  }

  if (!hasScript) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape, for whoever is in it
    <div
      className={css.frame}
      ref={frame}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        setOpen(false)
        frame.current?.querySelector('button')?.focus()
      }}
    >
      <button type="button" className={css.opener} aria-expanded={isOpen} onClick={open}>
        <MessageSquareText size={18} aria-hidden /> Saved replies
      </button>
      {isOpen && (
        <div className={`card ${css.list}`}>
          {data && data.replies.length > 0 && (
            <ul role="list">
              {data.replies.map(({ id, title, text }) => (
                <li key={id}>
                  <button type="button" onClick={() => insert(text)}>
                    <strong>{title}</strong>
                    <span className={css.text}>{text}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <p className={css.more}>
            {data?.replies.length === 0 && 'Nothing saved yet. '}
            <Link to="/manage/replies/">{data?.replies.length === 0 ? 'Write the first reply' : 'Edit the replies'}</Link>
          </p>
        </div>
      )}
    </div>
  )
}
