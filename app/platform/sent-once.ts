/** A button that waits for an answer (aria-disabled, S-275) sends nothing, and nothing twice before the page could say so. */
import { underWay } from './held-navigations.ts'

/**
 * `disabled` would take the focus from whoever pressed a key, and lose the place with it. Before all listeners of forms, for clicks, double
 * taps and Enter in a field alike: such a button has the attribute from the beginning, false while it may be pressed.
 */
export function sendOnce(): void {
  let last: HTMLElement | null
  let isGoing = () => false
  window.addEventListener(
    'submit',
    (event) => {
      const { submitter } = event
      const waits = submitter?.getAttribute('aria-disabled')
      if (!waits) return
      if (waits === 'true' || (submitter === last && isGoing())) {
        event.preventDefault()
        event.stopPropagation()
        return
      }
      last = submitter
      // What was under way before it, or is later without it (a heart, earlier messages), is no reason to send nothing.
      const before = underWay()
      const own = () => underWay().filter((one) => !before.includes(one))
      isGoing = () => own().length > 0
      setTimeout(() => {
        const mine = own()
        isGoing = () => underWay().some((one) => mine.includes(one))
      })
    },
    true,
  )
}
