import type { MouseEvent } from 'react'
import type { Message } from '#conversation/message.ts'
import { useMoney } from '#pricing/use-money.ts'
import { nextSteps } from './offer.ts'
import { nextStepTexts as texts } from './texts.ts'
import css from './next-steps.module.css'

export function NextSteps({ messages }: { messages: readonly Message[] }) {
  const money = useMoney()
  const steps = messages.flatMap(({ offer }) => (offer ? nextSteps(offer) : []))
  if (steps.length === 0) return null
  return (
    <nav
      className={`flex flex-wrap items-center gap-2 text-sm flex-none border-b bg-raised ${css.steps}`}
      aria-label={texts.title}
    >
      {steps.map(({ anchor, kind, cents }) => (
        <a
          key={anchor}
          className="button quiet"
          href={`#${anchor}`}
          onClick={showPlace}
        >
          {kind === 'address' ? texts.address : texts.pay[kind](money(cents))}
        </a>
      ))}
    </nav>
  )
}

/** The router would add the anchor to the history, and Back would not leave the page. */
function showPlace(event: MouseEvent<HTMLAnchorElement>) {
  const place = document.getElementById(event.currentTarget.hash.slice(1))
  if (!place) return
  event.preventDefault()
  place.scrollIntoView({ block: 'start' })
  place.focus({ preventScroll: true })
}
