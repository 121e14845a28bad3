/** The browser's start: the page that the server sent comes to life. */
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { watchConnection } from './platform/connection.ts'
import { holdNavigations } from './platform/held-navigations.ts'
import { mendPictures } from './platform/mend-pictures.ts'
import { sendOnce } from './platform/sent-once.ts'
import { patient } from './platform/patient-fetch.ts'
import { awayTexts } from './ui/away-texts.ts'
import { showToast } from './ui/toast-store.ts'

declare global {
  interface Window {
    __reactRouterRouteModules?: unknown
  }
}

// The router takes no fetch of ours; it asks by this one.
window.fetch = patient(window.fetch.bind(window))
watchConnection()
mendPictures()
sendOnce()
holdNavigations((held) => showToast(held === 'form' ? awayTexts.notSent : awayTexts.later))

/** This file lies in one with the frame (vite.config.ts), which runs before the page's own script has said what the page consists of. */
function begin() {
  if (!window.__reactRouterRouteModules) return void setTimeout(begin)
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    )
  })
}
begin()
