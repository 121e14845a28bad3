import { Form, href, useLocation } from 'react-router'
import { withoutPanel } from '#ui/message-panel-url.ts'
import { guestNoteTexts as texts } from './texts.ts'

/** A guest who loses the browser loses the answer, too. [LOGIN-61] */
export function GuestNote({ className = '' }: { className?: string }) {
  const { pathname, search } = useLocation()
  return (
    <Form
      action={`${href('/link-guest')}/`}
      className={`flex flex-wrap items-center gap-3 text-sm ${className}`}
    >
      <input
        type="hidden"
        name="from"
        value={pathname + withoutPanel(search)}
      />
      <span>{texts.onlyHere}</span>
      <button className="button quiet">{texts.link}</button>
    </Form>
  )
}
