/** Loads of whole pages that would end on the browser's own error page: held on this one until the shop can be reached. */
import { connection, whenReached } from './connection.ts'

/** What the router leaves on the window; its version is fixed, and a journey would notice. */
declare global {
  interface Window {
    __reactRouterDataRouter?: {
      navigate: (to: unknown, options?: { formMethod?: string }) => Promise<void>
      state: {
        navigation: { state: string; location?: { pathname: string; search: string; hash: string } }
        fetchers: ReadonlyMap<string, { state: string }>
      }
    }
  }
}

const stateOfRouter = () => window.__reactRouterDataRouter?.state
/** What the router waits for: the next page, and forms beside it by their keys. */
export function underWay(): string[] {
  const state = stateOfRouter()
  if (!state) return []
  const going: [string, { state: string }][] = [['page', state.navigation], ...state.fetchers]
  return going.flatMap(([key, { state }]) => (state === 'idle' ? [] : key))
}

/** `tell`: says to the person that the page comes later, or that a form was not sent. Browsers without the Navigation API go on as ever. */
export function holdNavigations(tell: (held: 'page' | 'form') => void): void {
  let wanted: string | null = null
  window.navigation?.addEventListener('navigate', (event) => {
    const isDocument = event.cancelable && !event.destination.sameDocument && event.downloadRequest === null
    if (!isDocument || new URL(event.destination.url).origin !== location.origin) return
    // When a script of the next page cannot be fetched the router reloads this one, which would lose what was typed and lead nowhere.
    const isOfRouter = event.navigationType === 'reload' && underWay().length > 0
    if (!connection.isLost() && !isOfRouter) return
    event.preventDefault()
    if (event.formData) return tell('form')
    if (!isOfRouter) tell('page')
    const isFirst = wanted === null
    wanted = event.destination.url
    if (isFirst)
      void whenReached().then(() => {
        const next = isOfRouter ? stateOfRouter()?.navigation.location : undefined
        location.replace(next ? next.pathname + next.search + next.hash : wanted!)
      })
  })
}
