/** The browser's start: the page that the server sent comes to life. */
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { watchConnection } from './platform/connection.ts'
import { holdNavigations } from './platform/held-navigations.ts'
import { patient } from './platform/patient-fetch.ts'
import { awayTexts } from './ui/away-texts.ts'
import { showToast } from './ui/toast-store.ts'

// The router takes no fetch of ours; it asks by this one.
window.fetch = patient(window.fetch.bind(window))
watchConnection()
holdNavigations((held) => showToast(held === 'form' ? awayTexts.notSent : awayTexts.later))

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
