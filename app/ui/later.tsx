/** A part of a page whose program comes after the page: the server draws it, and in the browser it stands as it came until the program is there. */
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'

/**
 * `fetch`: imports the program. Its style sheets are imported beside this call, since a page is dressed before any program has come; what
 * `meanwhile` wears (where the router led to a page without it) makes them its own.
 * `ready`: for a page that the router leads to, where nothing stands yet: its module waits for this one.
 */
export function later<Props extends object>(fetch: () => Promise<ComponentType<Props>>, meanwhile?: ReactNode) {
  let loaded: ComponentType<Props> | undefined
  const ready = async () => void (loaded ??= await fetch())
  const Awaited = lazy(async () => {
    // Without it the part goes on working as it does without script.
    await ready().catch(() => new Promise<never>(() => {}))
    return { default: loaded! }
  })
  if (import.meta.env.SSR) void ready()
  function Later(props: Props) {
    // The same for as long as it stands: another one would be made anew.
    const [Part] = useState(() => loaded ?? Awaited)
    return (
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    )
  }
  return { Later, ready }
}

/** Whether the router led here. A page that the browser itself opened is drawn already. */
export const isLedHere = (): boolean => !import.meta.env.SSR && window.__reactRouterDataRouter !== undefined
