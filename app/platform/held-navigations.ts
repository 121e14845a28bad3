/** Loads of whole pages that would end on the browser's own error page: held on this one until the shop can be reached. */
import { connection, whenReached } from './connection.ts'

/** What the router leaves on the window; its version is fixed, and a journey would notice. */
declare global {
  interface Window {
    __reactRouterDataRouter?: {
      state: {
        navigation: { state: string; location?: { pathname: string; search: string; hash: string } }
        fetchers: ReadonlyMap<string, { state: string }>
      }
    }
  }
}

const stateOfRouter = () => window.__reactRouterDataRouter?.state
/** When a script of the next page cannot be fetched the router reloads this one, which would lose what was typed and lead nowhere. */
const isBusy = () => {
  const state = stateOfRouter()
  return state !== undefined && (state.navigation.state !== 'idle' || [...state.fetchers.values()].some(({ state }) => state !== 'idle'))
}

/** `tell`: says to the person that the page comes later, or that a form was not sent. Browsers without the Navigation API go on as ever. */
export function holdNavigations(tell: (held: 'page' | 'form') => void): void {
  let wanted: string | null = null
  window.navigation?.addEventListener('navigate', (event) => {
    const isDocument = event.cancelable && !event.destination.sameDocument && event.downloadRequest === null
    if (!isDocument || new URL(event.destination.url).origin !== location.origin) return
    const isOfRouter = event.navigationType === 'reload' && isBusy()
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
