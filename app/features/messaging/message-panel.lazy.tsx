/** The browser loads the code of the message panel only for signed-in users. */
import { lazy } from 'react'

const load = () => import('./message-panel.tsx')

/** Use the panel without a Suspense boundary. The server then waits for the panel's code, and the browser shows the previous page until the code is loaded. */
export const MessagePanel = lazy(async () => ({ default: (await load()).MessagePanel }))

/** Loads the code of the panel early, so that the panel opens immediately. */
export const preloadPanel = () => void load().catch(() => {})
